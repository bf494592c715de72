// Keep a playing screen lit. Browsers allow it over HTTPS and on the same machine only; elsewhere say so once.

let lock = null;

export async function stayAwake(app) {
  if (!app?.hasAttribute("data-awake")) return;
  const hint = document.getElementById("awake-hint");
  if (!("wakeLock" in navigator)) {
    if (hint) hint.hidden = false;
    return;
  }
  if (lock && !lock.released) return;
  try { lock = await navigator.wakeLock.request("screen"); } catch { /* asked again at the next change */ }
}
