// What HTML cannot do alone: polls that notice a lost connection, and what is kept open.
// Every page works without it.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (type, act) => document.addEventListener(type, act);

  // Polls. A hidden page does not poll, so that its job falls back in line; a shown one looks at once.
  on("htmx:beforeRequest", (event) => {
    if (document.hidden && event.target.matches("[data-poll]")) event.preventDefault();
  });
  on("visibilitychange", () => {
    if (!document.hidden) all("[data-poll]").forEach((poll) => window.htmx?.trigger(poll, "look"));
  });
  const lost = (is) => all("[data-lost]").forEach((note) => { if (note.hidden === is) note.hidden = !is; });
  for (const type of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    on(type, (event) => {
      lost(true);
      // A button must not fail in silence: send its form the plain way, the answer is a page.
      if (type === "htmx:responseError" && event.target.matches("form")) event.target.submit();
    });
  }
  on("htmx:afterOnLoad", (event) => { if (event.detail.successful) lost(false); });

  // What somebody opened or closed stays so when a poll replaces it, and so does the focus: htmx finds the
  // element of the same id; where there is none any more, the focus goes to the sentence that took its place.
  const kept = new Map();
  let held = false;
  on("htmx:beforeSwap", (event) => { held = event.detail.target.contains(document.activeElement); });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches("[data-keep]")) kept.set(event.target.id, event.target.open);
  }, true);
  on("htmx:afterSwap", (event) => {
    for (const part of all("[data-keep]")) if (kept.has(part.id)) part.open = kept.get(part.id);
    if (held && document.activeElement === document.body) {
      const next = event.target.querySelector('[tabindex="-1"]') ?? event.target.closest('[tabindex="-1"]');
      next?.focus({ preventScroll: true });
    }
  });
})();
