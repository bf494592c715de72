// Short messages: read aloud by screen readers, gone by themselves.

const LONG_ENOUGH_MS = 5200; // two short sentences at a child's reading pace

export function toast(text, kind = "note") {
  const place = document.getElementById("toasts");
  const note = document.createElement("p");
  note.className = `toast ${kind}`;
  note.textContent = text;
  place.append(note);
  while (place.children.length > 2) place.firstChild.remove();
  setTimeout(() => note.remove(), LONG_ENOUGH_MS);
}
