// What HTML cannot do alone: polls that notice a lost connection, the cursor of the charts, drag and drop.
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

  // A number in the text leads to its fact: open it.
  const reveal = () => {
    const fact = location.hash.startsWith("#fact-") && document.getElementById(location.hash.slice(1));
    if (fact) {
      fact.open = true;
      fact.querySelector("summary").focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", reveal);
  on("click", (event) => {
    if (event.target.closest(`a[href="${CSS.escape(location.hash)}"]`)) reveal();
    all("details.more[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
  });
  on("keydown", (event) => {
    if (event.key === "Escape") all("details.more[open]").forEach((menu) => { menu.open = false; });
  });
  reveal();

  // Drag and drop: the whole page takes files and puts them into the form's own field.
  for (const form of all("[data-drop]")) {
    on("dragover", (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      form.classList.add("over");
    });
    on("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("over"); });
    on("drop", (event) => {
      form.classList.remove("over");
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      form.querySelector("[type=file]").files = event.dataTransfer.files;
      form.requestSubmit();
    });
  }

  // The cursor: one time for all strips and the track.
  const numbers = (text) => text.split(",").map((value) => (value === "" ? null : Number(value)));
  const clock = (seconds) => {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    return `${h ? `${h}:${String(m).padStart(2, "0")}` : m}:${String(s).padStart(2, "0")}`;
  };
  const written = (value, unit) => {
    if (value === null) return document.querySelector("[data-none]").dataset.none;
    if (unit.startsWith("min/") || unit.startsWith("/")) return `${clock(value)} ${unit}`;
    return `${Math.abs(value) < 20 ? value.toFixed(1) : Math.round(value)} ${unit}`;
  };
  for (const figure of all("[data-streams]")) {
    const times = numbers(figure.dataset.times);
    const total = times[times.length - 1];
    const strips = all("[data-strip]", figure).map((strip) => ({
      unit: strip.dataset.unit, values: numbers(strip.dataset.values), plot: strip.querySelector("svg"),
      line: strip.querySelector(".cursor"), out: strip.querySelector("output"),
    }));
    const scrub = figure.querySelector(".scrub");
    const slider = scrub.querySelector("input");
    const track = document.querySelector("[data-track]");
    const spots = track && track.dataset.times ? numbers(track.dataset.times) : [];
    const places = track ? track.querySelector(".way").getAttribute("d").slice(1).split("L") : [];
    const show = (index) => {
      const at = times[index];
      for (const { unit, values, line, out } of strips) {
        for (const end of ["x1", "x2"]) line.setAttribute(end, `${(at / total) * 100}%`);
        line.setAttribute("visibility", "visible");
        out.textContent = written(values[index], unit);
      }
      slider.value = index;
      slider.setAttribute("aria-valuetext", [clock(at), ...strips.map(({ out }) => out.textContent)].join(", "));
      scrub.querySelector("output").textContent = clock(at);
      if (!spots.length) return;
      const spot = spots.findIndex((moment) => moment >= at);
      const [x, y] = places[spot < 0 ? places.length - 1 : spot].split(" ");
      const here = track.querySelector(".here");
      here.setAttribute("cx", x);
      here.setAttribute("cy", y);
      here.setAttribute("visibility", "visible");
    };
    const follow = (event) => {
      const box = strips[0].plot.getBoundingClientRect();
      const at = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * total;
      show(Math.max(times.findIndex((moment) => moment >= at), 0));
    };
    slider.addEventListener("input", () => show(Number(slider.value)));
    strips.forEach(({ plot }) => ["pointermove", "pointerdown"].forEach((type) => plot.addEventListener(type, follow)));
  }
})();
