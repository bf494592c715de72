// The Guard's phone buzzes once for each new flag, silently for everybody else.

const buzzed = new Set();
let first = true;

export function buzz(app) {
  const keys = [...(app?.querySelectorAll("[data-buzz]") ?? [])].map((element) => element.dataset.buzz);
  const fresh = keys.filter((key) => !buzzed.has(key));
  fresh.forEach((key) => buzzed.add(key));
  if (fresh.length && !first && navigator.vibrate) {
    try { navigator.vibrate([220, 90, 220]); } catch { /* not allowed before the first tap */ }
  }
  first = false;
}
