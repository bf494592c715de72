// Sheets: a button with `data-open` opens the dialog of that id, `data-close` or a tap beside it closes it.

export function wireDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) {
      const sheet = document.getElementById(opener.dataset.open);
      document.querySelectorAll("dialog[open]").forEach((other) => other !== sheet && other.close());
      if (sheet && !sheet.open) sheet.showModal();
      return;
    }
    if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
    else if (event.target instanceof HTMLDialogElement) event.target.close();
  });
}

let frozen = false;

// A dispute concerns everybody at once: whatever sheet is open makes room for it, but for the Guard's who is choosing
// whom; that one closes when the call is over without a choice.
export function makeRoom(app) {
  const now = app?.classList.contains("frozen") ?? false;
  const choosing = app?.hasAttribute("data-choosing") ?? false;
  if (now && !frozen) document.querySelectorAll("dialog[open]").forEach((sheet) => (choosing && sheet.id === "caught") || sheet.close());
  if (frozen && !now) document.querySelector("#caught[open]")?.close();
  frozen = now;
}
