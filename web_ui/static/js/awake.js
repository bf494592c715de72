// Keep a playing screen lit. Browsers allow it over HTTPS and on the same machine only; elsewhere say so once.

import { t } from "./words.js";
import { toast } from "./toast.js";

const SAID = "moth-awake";

let lock = null;

export async function stayAwake(app) {
  if (!app?.hasAttribute("data-awake")) return;
  const hint = document.getElementById("awake-hint");
  if (!("wakeLock" in navigator)) {
    if (hint) hint.hidden = false;
    sayOnce();
    return;
  }
  if (lock && !lock.released) return;
  try { lock = await navigator.wakeLock.request("screen"); } catch { /* asked again at the next change */ }
}

function sayOnce() {
  try {
    if (sessionStorage.getItem(SAID)) return;
    sessionStorage.setItem(SAID, "1");
  } catch { return; }
  toast(t("This screen may go dark by itself. The menu says what helps."));
}
