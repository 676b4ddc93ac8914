// The streams of a session: one cursor for all strips and the track, and a closer look at a part of them.
"use strict";
for (const figure of document.querySelectorAll("[data-streams]")) {
  const { none, shown, closer } = figure.dataset;
  const one = (selector, root = figure) => root.querySelector(selector);
  const all = (selector) => [...figure.querySelectorAll(selector)];
  const set = (node, values) => Object.entries(values).forEach(([name, value]) => node.setAttribute(name, value));
  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  const percent = (share) => `${share * 100}%`;
  const clock = (seconds) => [seconds / 3600, seconds / 60 % 60, seconds % 60].slice(seconds < 3600 ? 1 : 0)
    .map((number, place) => String(Math.floor(number)).padStart(place ? 2 : 1, "0")).join(":");
  const track = document.querySelector("[data-track]");
  const [slider, said, strips, insides] = [one("#scrub"), one("[data-part]"), all("[data-strip]"), all("svg svg")];
  const spots = track?.dataset.times ? track.dataset.times.split(",").map(Number) : [];
  const places = spots.length ? one(".way", track).getAttribute("d").slice(1).split("L") : [];
  const whole = { // what the page came with; a part that is fetched has the same shape
    from: 0, to: Number(figure.dataset.to), times: figure.dataset.times, values: strips.map((strip) => strip.dataset.values),
    drawings: insides.map((inside) => inside.innerHTML), summaries: all(".summary").map((text) => text.textContent),
  };
  let [view, drawn, times, values, at, wait] = [whole, whole, [], [], null, 0];
  const length = (part = view) => part.to - part.from;

  const show = (moment) => {
    const index = (times.findIndex((time) => time >= within(moment, view.from, view.to)) + times.length) % times.length;
    at = within(times[index], view.from, view.to);
    const x = percent((at - view.from) / length());
    const read = values.map((row, place) => (row[index] ? `${row[index]} ${strips[place].dataset.unit}` : none));
    all(".cursor").forEach((line) => set(line, { x1: x, x2: x, visibility: "visible" }));
    all("[data-strip] output").forEach((out, place) => { out.textContent = read[place]; });
    one(".scrub output").textContent = clock(at);
    slider.value = index;
    set(slider, { "aria-valuetext": [clock(at), ...read, said.textContent].filter(Boolean).join(", ") });
    const [cx, cy] = places.at(spots.findIndex((time) => time >= at))?.split(" ") ?? [];
    if (cy) set(one(".here", track), { cx, cy, visibility: "visible" });
  };
  const stretch = () => { // until a part has come, what is drawn already is stretched over it
    const [x, width] = [percent((drawn.from - view.from) / length()), percent(length(drawn) / length())];
    insides.forEach((inside) => set(inside, { x, width }));
    if (at !== null) show(at);
  };
  const draw = (part) => {
    [drawn, times, values] = [part, part.times.split(",").map(Number), part.values.map((text) => text.split(","))];
    insides.forEach((inside, place) => { inside.innerHTML = part.drawings[place]; });
    all(".summary").forEach((summary, place) => { summary.textContent = part.summaries[place]; });
    slider.max = times.length - 1;
    stretch();
  };
  const look = (from, to) => {
    const span = within(Math.round(to - from), 20, whole.to);
    const start = within(Math.round((from + to - span) / 2), 0, Math.floor(whole.to - span));
    view = span < whole.to ? { from: start, to: start + span } : whole;
    said.textContent = view === whole ? "" : shown.replace("{from}", clock(view.from)).replace("{to}", clock(view.to));
    all("[data-zoom]").forEach((button) => { button.disabled = button.dataset.zoom > 1 && view === whole; });
    const seen = places.filter((_, place) => view !== whole && spots[place] >= view.from && spots[place] <= view.to);
    if (track) set(one(".part", track), { d: seen.length ? `M${seen.join("L")}` : "" });
    clearTimeout(wait);
    if (view === whole) return draw(whole);
    stretch();
    wait = setTimeout(async (wanted) => {
      const answer = await fetch(`${closer}?from=${wanted.from}&to=${wanted.to}`).catch(() => null);
      const part = answer?.ok && await answer.json().catch(() => null);
      if (part && view === wanted) draw(part);
    }, 120, view);
  };
  const zoom = (factor, about = at ?? (view.from + view.to) / 2) => (
    look(about - (about - view.from) * factor, about + (view.to - about) * factor));

  // Fingers hold the moments they were put on: two of them say what is seen. A pressed mouse chooses a part.
  const held = new Map();
  const point = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = within((event.clientX - box.left) / box.width, 0, 1);
    const moment = view.from + x * length();
    if (event.type === "wheel") {
      if (!event.ctrlKey && !event.metaKey) return; // alone it scrolls the page
      event.preventDefault();
      return zoom(1.005 ** within(event.deltaY, -100, 100), moment);
    }
    if (event.type === "pointerdown") held.set(event.pointerId, { begin: x, moment });
    const finger = Object.assign(held.get(event.pointerId) ?? { begin: x, moment }, { x });
    if (event.type.match(/up|cancel/)) held.delete(event.pointerId);
    const [first, second] = held.values();
    const span = second && (second.moment - first.moment) / (second.x - first.x);
    if (second) return span > 0 && look(first.moment - first.x * span, first.moment + (1 - first.x) * span);
    const chosen = event.pointerType === "mouse" ? Math.abs(x - finger.begin) : 0;
    const mark = { x: percent(Math.min(x, finger.begin)), width: percent(first ? chosen : 0) };
    all(".chosen").forEach((rect) => set(rect, mark));
    if (event.type === "pointerup" && chosen > 0.02) look(Math.min(finger.moment, moment), Math.max(finger.moment, moment));
    show(moment);
  };
  for (const plot of all("[data-strip] > svg")) {
    for (const type of ["pointermove", "pointerdown", "pointerup", "pointercancel", "wheel"]) plot.addEventListener(type, point);
    plot.addEventListener("pointerdown", (event) => plot.setPointerCapture(event.pointerId));
  }
  figure.addEventListener("click", ({ target }) => { if (target.dataset.zoom) zoom(Number(target.dataset.zoom)); });
  figure.addEventListener("keydown", (event) => {
    const factor = { "+": 0.5, "=": 0.5, "-": 2, Escape: 1e9 }[event.key];
    const way = event.target === slider && { ArrowLeft: [-0.5, "0"], ArrowRight: [0.5, slider.max] }[event.key];
    if (event.ctrlKey || event.metaKey || !(factor || way?.[1] === slider.value)) return;
    event.preventDefault();
    if (factor) zoom(factor);
    else look(view.from + way[0] * length(), view.to + way[0] * length());
  });
  slider.addEventListener("input", () => show(times[slider.value]));
  draw(whole);
}
