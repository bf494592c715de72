// The words of this screen's language; English is its own key. The page carries the list.

const list = document.getElementById("words");
const words = list ? JSON.parse(list.textContent) : {};

export function t(text, places = {}) {
  return (words[text] || text).replace(/\{(\w+)\}/g, (whole, name) => (name in places ? places[name] : whole));
}
