// The audit of one page: axe's findings, and targets smaller than a finger.
async (smallest) => {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(document, { runOnly: rules });
  const say = (node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? node.all[0]?.message ?? ""}`;
  const found = violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map(say).join(" | ")}`);
  const targets = "a, button, summary, select, input:not([type=radio]):not([type=checkbox]), .choice, .oldest, label.tick";
  for (const one of document.querySelectorAll(targets)) {
    const box = one.getBoundingClientRect();
    const hidden = !one.checkVisibility() || one.matches(".skip-link") || box.width === 0;
    if (!hidden && (box.width < smallest - 0.5 || box.height < smallest - 0.5)) {
      found.push(`small: ${one.outerHTML.slice(0, 110)} ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`);
    }
  }
  return found;
}
