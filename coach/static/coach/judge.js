// Judging by keyboard: an arrow presses the button that names it.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
  const button = document.querySelector(`[data-key="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
