import type { Figure } from './rows/row.ts';

export interface TargetReport {
  readonly target: string;
  readonly figures: readonly Figure[];
}

/** One line per figure, targets side by side, with the ratio of the second to the first. */
export function table(reports: readonly TargetReport[]): string {
  const [own, other] = reports;
  if (own === undefined) return '';
  const head = [
    '',
    ...reports.flatMap(({ target }) => [target, 'rate/s', 'p50 ms', 'p99 ms']),
    ...(other ? ['ratio'] : []),
  ];
  const lines = own.figures.map((figure) => {
    const compared = other?.figures.find(({ name }) => name === figure.name);
    const ratio = other === undefined ? [] : [compared === undefined ? '' : (compared.value / figure.value).toFixed(1)];
    return [figure.name, ...cells(figure), ...(other === undefined ? [] : cells(compared)), ...ratio];
  });
  const rows = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [line(head), rule, ...lines.map(line)].join('\n');
}

function cells(figure: Figure | undefined): readonly string[] {
  if (figure === undefined) return ['', '', '', ''];
  const { value, unit, details } = figure;
  const latency =
    details === undefined ? ['', '', ''] : [rounded(details.perSecond), rounded(details.p50Ms), rounded(details.p99Ms)];
  return [`${rounded(value)} ${unit}`, ...latency];
}

function rounded(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
