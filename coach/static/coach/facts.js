// A number in the text leads to its fact: open it, and what it is folded into.
"use strict";
(() => {
  const reveal = () => {
    const fact = location.hash.startsWith("#fact-") && document.getElementById(location.hash.slice(1));
    if (!fact) return;
    for (let part = fact; part; part = part.parentElement.closest("details")) part.open = true;
    fact.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    if (event.target.closest(`a[href="${CSS.escape(location.hash)}"]`)) reveal();
  });
  reveal();
})();
