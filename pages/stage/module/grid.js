// How panels stand: up to three side by side, four two by two, more three by three.
export function arrange(row, panels) {
  const columns = panels.length < 4 ? panels.length : panels.length === 4 ? 2 : 3;
  row.replaceChildren(...panels.map((panel) => panel.root));
  row.dataset.columns = columns;
  row.dataset.rows = Math.ceil(panels.length / columns);
  row.classList.toggle("rows", panels.length > 3);
}
