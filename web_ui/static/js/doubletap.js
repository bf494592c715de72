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
    if (last && button.matches(ACTS) && follows(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY };
  }, true);
}

const follows = (event) => event.timeStamp - last.at < DOUBLE_MS
  && Math.hypot(event.clientX - last.x, event.clientY - last.y) < SAME_SPOT_PX;
