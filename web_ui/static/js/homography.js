// Four points to four points, and curves through them: what an outline looks like in the picture.

export function homography(from, to) {
  const rows = [];
  for (let k = 0; k < 4; k += 1) {
    const [x, y] = from[k];
    const [u, v] = to[k];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  }
  for (let c = 0; c < 8; c += 1) {
    let best = c;
    for (let r = c + 1; r < 8; r += 1) if (Math.abs(rows[r][c]) > Math.abs(rows[best][c])) best = r;
    [rows[c], rows[best]] = [rows[best], rows[c]];
    if (Math.abs(rows[c][c]) < 1e-12) return null;
    for (let r = 0; r < 8; r += 1) {
      if (r === c) continue;
      const share = rows[r][c] / rows[c][c];
      for (let j = c; j < 9; j += 1) rows[r][j] -= share * rows[c][j];
    }
  }
  return [...rows.map((row, k) => row[8] / row[k]), 1];
}

export function through(h, [x, y]) {
  const w = h[6] * x + h[7] * y + h[8];
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
}

const SQUARE = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
const CROSS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

export function curve(shape, points) {
  if (shape === "rectangle" || shape === "square") return points;
  const h = homography(shape === "round" ? CROSS : SQUARE, points);
  if (!h) return points;
  return Array.from({ length: 72 }, (_, k) => through(h, [Math.cos((k * Math.PI) / 36), Math.sin((k * Math.PI) / 36)]));
}
