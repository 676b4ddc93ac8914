// What can be measured of how a page looks: returns sentences about what is wrong with it.
() => {
  const wrong = [];
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (one) => `${one.tagName.toLowerCase()} "${(one.textContent || one.getAttribute("aria-label") || one.id || "").trim().slice(0, 40)}"`;
  const round = (box) => `${Math.round(box.left)},${Math.round(box.top)} ${Math.round(box.width)}×${Math.round(box.height)}`;
  const apart = (one, other, by) => one.right - by <= other.left || other.right - by <= one.left
    || one.bottom - by <= other.top || other.bottom - by <= one.top;

  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);

  // The box of a text without the leading of its font.
  const inked = (text) => {
    const [box, size] = [text.getBoundingClientRect(), parseFloat(getComputedStyle(text).fontSize)];
    const less = Math.max(0, box.height - size * 1.15) / 2;
    return new DOMRect(box.x, box.y + less, box.width, box.height - 2 * less);
  };
  // Where a line or the dots of a drawing are on the screen.
  const drawn = (path) => {
    const dots = [...path.getAttribute("d").matchAll(/M([\d.]+) ([\d.]+)h0/g)].map(([, x, y]) => new DOMPoint(x, y));
    const length = path.getTotalLength();
    const along = dots.length ? dots : Array.from({ length: 400 }, (_, step) => path.getPointAtLength(length * step / 399));
    return along.map((point) => point.matrixTransform(path.getScreenCTM()));
  };

  // Text in drawings: inside what is drawn (labels beside a chart stand in its gutter), and never over another text,
  // over a line or over dots.
  for (const figure of document.querySelectorAll("main figure")) {
    const texts = [...figure.querySelectorAll("text")].filter((text) => seen(text) && text.textContent.trim());
    const boxes = texts.map(inked);
    texts.forEach((text, place) => {
      const drawing = text.closest("svg:not(svg svg)");
      const edge = (drawing.closest(".plot") || drawing).getBoundingClientRect();
      const box = boxes[place];
      if (box.left < edge.left - 2 || box.right > edge.right + 2 || box.top < edge.top - 2 || box.bottom > edge.bottom + 2)
        wrong.push(`${name(text)} at ${round(box)} is outside of its drawing at ${round(edge)}`);
      if (box.height < 9) wrong.push(`${name(text)} is ${box.height.toFixed(1)} px high`);
      for (let next = place + 1; next < texts.length; next += 1) {
        if (!apart(box, boxes[next], 1)) wrong.push(`${name(text)} and ${name(texts[next])} overlap at ${round(box)}`);
      }
    });
  }

  for (const path of document.querySelectorAll("main figure :is(.fitness, .fatigue, .points)")) {
    const places = path.tagName === "path" && path.getAttribute("d") && seen(path) ? drawn(path) : [];
    for (const text of path.closest("figure").querySelectorAll("text")) {
      const box = inked(text);
      if (places.some(({ x, y }) => x > box.left && x < box.right && y > box.top + 1 && y < box.bottom - 1)) wrong.push(`${name(text)} stands over what is drawn at ${round(box)}`);
    }
  }

  // Words that do not fit where they stand.
  for (const one of document.querySelectorAll("main h1, main h2, main .value, main .name, main .word, main button, main .button, .places a")) {
    if (seen(one) && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
      wrong.push(`${name(one)} is cut off`);
  }

  // Targets: 24 px both ways, or as far from the next as if they were; words within a sentence are let off.
  const targets = [...document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), select, textarea")].filter((one) => {
    const box = one.getBoundingClientRect();
    return seen(one) && box.width > 1 && box.height > 1 && !one.matches(".skip");
  });
  const inline = (one) => one.matches("a") && getComputedStyle(one).display === "inline" && one.closest("p, li, td, th, h2, h3")
    && one.closest("p, li, td, th, h2, h3").textContent.trim() !== one.textContent.trim();
  const boxes = targets.map((one) => one.getBoundingClientRect());
  targets.forEach((one, place) => {
    const box = boxes[place];
    if (one.closest(".places") && innerWidth < 992) {
      if (!one.closest(".more") && (box.height < 44 || box.width < 44)) wrong.push(`${name(one)} in the navigation is ${round(box)}`);
      return;
    }
    if ((box.width >= 24 && box.height >= 24) || inline(one)) return;
    const circle = { left: (box.left + box.right) / 2 - 12, right: (box.left + box.right) / 2 + 12, top: (box.top + box.bottom) / 2 - 12, bottom: (box.top + box.bottom) / 2 + 12 };
    const near = targets.find((other, there) => other !== one && !other.closest(".places") && !other.contains(one) && !one.contains(other) && !apart(circle, boxes[there], 0.5));
    if (near) wrong.push(`${name(one)} is ${round(box)}, and ${name(near)} is near`);
  });

  // The navigation stands beside or below what it leads to.
  const places = document.querySelector(".places").getBoundingClientRect();
  scrollTo(0, document.documentElement.scrollHeight);
  const last = [...document.querySelectorAll("main *")].filter(seen).reduce((low, one) => Math.max(low, one.getBoundingClientRect().bottom), 0);
  if (innerWidth < 992 && last > places.top) wrong.push(`the navigation covers the last ${Math.round(last - places.top)} px`);
  if (innerWidth >= 992 && document.querySelector("main").getBoundingClientRect().left < places.right) wrong.push("the navigation covers the left");
  scrollTo(0, 0);
  return wrong;
}
