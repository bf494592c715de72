// A child's double tap is one tap. The screen changes under the finger: without this the second half of a double tap on
// "Draw a card" draws for the next player. A touch counts every tap as the first (`detail` is 1), so time and place decide.

const DOUBLE_MS = 450; // a quick double tap takes 150 to 350 ms; nobody reads the next question and answers it in less
const SAME_SPOT_PX = 24; // half a target
const ACTS = "[data-move], [data-post], button:not([type=button])";

let last = null; // the last tap that counted

export function leaveOutDoubles() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const spot = { at: event.timeStamp, ...where(event, button) };
    if (last && button.matches(ACTS) && follows(spot)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    last = spot;
  }, true);
}

const follows = (spot) => spot.at - last.at < DOUBLE_MS && Math.hypot(spot.x - last.x, spot.y - last.y) < SAME_SPOT_PX;

// A key has no place of its own: it presses in the middle of the button that has the focus.
function where(event, button) {
  if (event.detail !== 0) return { x: event.clientX, y: event.clientY };
  const box = button.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
