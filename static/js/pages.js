"use strict";
/* What htmx cannot do: focus the first wrong answer, take a suggestion, show that a recount is late, name a dropped file. */

const LATE_AFTER_MS = 300;
const late = new WeakMap();

function focusFirstError() {
  const summary = document.querySelector(".error-summary");
  const invalid = document.querySelector('[aria-invalid="true"]');
  if (invalid) invalid.focus({ preventScroll: Boolean(summary) });
  else if (summary) summary.focus();
  if (summary) summary.scrollIntoView({ block: "center" });
}

function markLate(target) {
  const timer = setTimeout(() => {
    target.setAttribute("aria-busy", "true");
    const body = target.querySelector(".panel__body");
    if (body) body.classList.add("is-stale");
  }, LATE_AFTER_MS);
  late.set(target, timer);
}

function clearLate(target) {
  clearTimeout(late.get(target));
  target.removeAttribute("aria-busy");
  const body = target.querySelector(".panel__body");
  if (body) body.classList.remove("is-stale");
}

document.addEventListener("htmx:beforeRequest", (event) => markLate(event.detail.target));
document.addEventListener("htmx:afterRequest", (event) => clearLate(event.detail.target));

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  const field = button && document.getElementById(button.dataset.pick);
  if (!field) return;
  event.preventDefault();
  field.value = button.dataset.value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

document.addEventListener("change", (event) => {
  const drop = event.target.closest(".drop");
  if (!drop || event.target.type !== "file") return;
  const names = Array.from(event.target.files, (file) => file.name).join(", ");
  const hint = drop.querySelector(".drop__hint");
  if (hint && names) hint.textContent = names;
});

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    const drop = event.target.closest && event.target.closest(".drop");
    if (drop) drop.dataset.state = "over";
  });
}
for (const kind of ["dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const drop = event.target.closest && event.target.closest(".drop");
    if (drop) delete drop.dataset.state;
  });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-once]")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "true";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});
document.addEventListener("DOMContentLoaded", focusFirstError);
