const minWidth = 8;

/** Columns as wide as their widest cell and a space, as Go's text/tabwriter makes them; the last one is not padded. */
export function tabTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, -1).entries()) {
      widths[column] = Math.max(widths[column] ?? minWidth, cell.length + 1);
    }
  }
  return rows.map((row) => `${lineOf(row, widths)}\n`).join('');
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('');
}
