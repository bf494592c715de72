// Confetti for the winners: a canvas over everything, for four seconds, never where motion is to be reduced.

const COLOURS = ["#ffc64a", "#ff8063", "#7fdca0", "#9fd8ff", "#f2b5f0"];
let done = null;

export function celebrate(app) {
  const key = app?.querySelector("[data-confetti]")?.dataset.confetti;
  if (!key || key === done) return;
  done = key;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const canvas = document.createElement("canvas");
  canvas.className = "confetti";
  canvas.setAttribute("aria-hidden", "true");
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  document.body.append(canvas);
  const pieces = Array.from({ length: 160 }, () => ({
    x: Math.random() * canvas.width, y: -Math.random() * canvas.height * 0.6, vx: (Math.random() - 0.5) * 3,
    vy: 2 + Math.random() * 4, size: 6 + Math.random() * 9, turn: Math.random() * 6, colour: COLOURS[Math.floor(Math.random() * COLOURS.length)],
  }));
  const pen = canvas.getContext("2d");
  const began = performance.now();
  const frame = (now) => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (const piece of pieces) {
      piece.x += piece.vx; piece.y += piece.vy; piece.turn += 0.12; piece.vy += 0.03;
      pen.save();
      pen.translate(piece.x, piece.y);
      pen.rotate(piece.turn);
      pen.fillStyle = piece.colour;
      pen.fillRect(-piece.size / 2, -piece.size / 4, piece.size, piece.size / 2);
      pen.restore();
    }
    if (now - began < 4200) requestAnimationFrame(frame);
    else canvas.remove();
  };
  requestAnimationFrame(frame);
}
