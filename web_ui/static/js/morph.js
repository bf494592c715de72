// Change a living DOM tree into a new one without losing focus, scroll, open dialogs or a playing clip.
// Elements with the same `id` or `data-key` are the same element. `data-keep` with an equal value on both
// sides leaves the element alone: a form that somebody is filling in, a clip that is playing.

const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.key || null : null);

export function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== 1) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (fresh.dataset.keep !== undefined && old.dataset.keep === fresh.dataset.keep) return;
  morphAttributes(old, fresh);
  morphChildren(old, fresh);
}

function morphAttributes(old, fresh) {
  const local = (name) => name === "open" || name === "data-local" || name === "aria-expanded" || (name === "value" && old === document.activeElement);
  for (const { name, value } of [...fresh.attributes]) {
    if (local(name) || old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && "value" in old) old.value = value; // a box that was typed into does not follow its attribute
  }
  for (const { name } of [...old.attributes]) {
    if (!local(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
}

function morphChildren(old, fresh) {
  const keyed = new Map();
  for (const child of old.children) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  const kept = new Set([...fresh.children].map(keyOf));
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    while (place && keyOf(place) && !kept.has(keyOf(place))) place = goneFrom(place); // else what follows it would not be found again
    const key = keyOf(wanted);
    let match = key ? keyed.get(key) : null;
    if (!key && place && !keyOf(place) && place.nodeName === wanted.nodeName) match = place;
    if (match && match.nodeName === wanted.nodeName) {
      if (match === place) place = place.nextSibling;
      else old.insertBefore(match, place);
      morph(match, wanted);
    } else {
      old.insertBefore(wanted, place);
    }
  }
  while (place) place = goneFrom(place);
}

// Remove a node, unless a script put it there, and takes it away itself; return the one after it.
function goneFrom(place) {
  const next = place.nextSibling;
  if (place.nodeType !== 1 || place.dataset.guest === undefined) place.remove();
  return next;
}
