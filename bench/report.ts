import type { Figure } from './rows/row.ts';

export interface TargetReport {
  readonly target: string;
  readonly figures: readonly Figure[];
}

/** One line per figure, targets side by side, with the ratio of the last to each of the others. */
export function table(reports: readonly TargetReport[]): string {
  const [own, last] = [reports.slice(0, -1), reports.at(-1)];
  const head = [
    '',
    ...reports.flatMap(({ target }) => [target, 'rate/s', 'p50 ms', 'p99 ms']),
    ...own.map(({ target }) => (own.length === 1 ? 'ratio' : `ratio, ${target}`)),
  ];
  const mostFirst = reports.toSorted((one, other) => other.figures.length - one.figures.length);
  const names = new Set(mostFirst.flatMap(({ figures }) => figures.map(({ name }) => name)));
  const figureOf = (report: TargetReport | undefined, name: string): Figure | undefined =>
    report?.figures.find((figure) => figure.name === name);
  const lines = [...names].map((name) => {
    const compared = figureOf(last, name)?.value;
    const ratio = (report: TargetReport): string => {
      const value = figureOf(report, name)?.value;
      return compared === undefined || value === undefined ? '' : (compared / value).toFixed(1);
    };
    return [name, ...reports.flatMap((report) => cells(figureOf(report, name))), ...own.map(ratio)];
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
