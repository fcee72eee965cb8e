import type { RatedSample } from './rates.ts';

interface Line {
  readonly label: string;
  readonly colour: string;
  /** Undefined: there is nothing to show in this sample. */
  readonly of: (sample: RatedSample) => number | undefined;
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const megabyte = 1_000_000;
const blue = '#4c8fd0';
const orange = '#e0934a';
const green = '#63ab76';
const violet = '#9a80c9';

const panels: readonly Panel[] = [
  {
    title: 'memory, MB',
    lines: [
      { label: 'resident', colour: blue, of: ({ residentBytes }) => residentBytes / megabyte },
      { label: 'heap in use', colour: orange, of: ({ heapUsedBytes }) => heapUsedBytes / megabyte },
      { label: 'outside of the heap', colour: green, of: ({ externalBytes }) => externalBytes / megabyte },
      {
        label: 'held after a collection',
        colour: violet,
        of: ({ heldBytes }) => (heldBytes === undefined ? undefined : heldBytes / megabyte),
      },
    ],
  },
  {
    title: 'open files, handles',
    lines: [
      { label: 'open files', colour: blue, of: ({ openFiles }) => openFiles },
      { label: 'handles', colour: orange, of: ({ handles }) => handles },
    ],
  },
  { title: 'timers', lines: [{ label: 'timers', colour: blue, of: ({ timers }) => timers }] },
  {
    title: 'data folder, MB',
    lines: [{ label: 'database', colour: blue, of: ({ databaseBytes }) => databaseBytes / megabyte }],
  },
  { title: 'objects', lines: [{ label: 'objects', colour: blue, of: ({ objects }) => objects }] },
  {
    title: 'thousand series of metrics',
    lines: [{ label: 'series', colour: blue, of: ({ series }) => series / 1_000 }],
  },
  {
    title: 'steps of the load per second',
    lines: [{ label: 'last two minutes', colour: blue, of: ({ stepsPerSecond }) => stepsPerSecond }],
  },
];

const size = { width: 860, left: 60, right: 170, top: 40, panel: 110, gap: 44 };
const plotWidth = size.width - size.left - size.right;

/** What a process holds over time, as SVG: one panel below the other, all from zero. */
export function graphOf(samples: readonly RatedSample[], heading: string): string {
  const height = size.top + panels.length * (size.panel + size.gap) + 10;
  const lastSeconds = samples.at(-1)?.seconds ?? 1;
  const drawn = panels.map((panel, index) =>
    drawPanel(panel, samples, { topY: size.top + 24 + index * (size.panel + size.gap), lastSeconds }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${height}" viewBox="0 0 ${size.width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${size.left}" y="24" font-size="15" fill="#444444">${heading}</text>
${drawn.join('\n')}
</svg>
`;
}

interface Placed {
  readonly topY: number;
  readonly lastSeconds: number;
}

function drawPanel({ title, lines }: Panel, samples: readonly RatedSample[], { topY, lastSeconds }: Placed): string {
  const most = Math.max(1, ...lines.flatMap(({ of }) => samples.map((sample) => of(sample) ?? 0)));
  const step = niceStep(most / 3);
  const highest = Math.ceil(most / step) * step;
  const y = (value: number): number => round(topY + size.panel * (1 - value / highest));
  const x = (seconds: number): number => round(size.left + (plotWidth * seconds) / lastSeconds);
  const bottom = topY + size.panel;
  const parts = [`<text x="${size.left}" y="${topY - 8}" fill="#444444" font-weight="bold">${title}</text>`];
  for (let value = 0; value <= highest; value += step) {
    const at = y(value);
    parts.push(
      `<line x1="${size.left}" y1="${at}" x2="${size.left + plotWidth}" y2="${at}" stroke="#e8e8e8"/>`,
      `<text x="${size.left - 8}" y="${at + 4}" text-anchor="end" fill="#888888">${value}</text>`,
    );
  }
  const minuteStep = lastSeconds > 3_600 ? 15 : niceStep(lastSeconds / 60 / 6);
  for (let minute = 0; minute * 60 <= lastSeconds; minute += minuteStep) {
    const label = minute === 0 ? '0 min' : String(minute);
    parts.push(`<text x="${x(minute * 60)}" y="${bottom + 15}" text-anchor="middle" fill="#888888">${label}</text>`);
  }
  const labels = labelHeights(lines.map(({ of }) => y(lastOf(samples, of))));
  for (const [index, { label, colour, of }] of lines.entries()) {
    const points = samples.flatMap((sample) => {
      const value = of(sample);
      return value === undefined ? [] : [`${x(sample.seconds)},${y(value)}`];
    });
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      `<text x="${size.left + plotWidth + 8}" y="${(labels[index] ?? 0) + 4}" fill="${colour}">${label}</text>`,
    );
    if (points.length > samples.length / 2) continue;
    // Few enough to be told apart.
    for (const point of points) {
      const [cx, cy] = point.split(',');
      parts.push(`<circle cx="${cx}" cy="${cy}" r="2.5" fill="${colour}"/>`);
    }
  }
  return parts.join('\n');
}

function lastOf(samples: readonly RatedSample[], of: Line['of']): number {
  return samples.map(of).findLast((value) => value !== undefined) ?? 0;
}

/** So that labels of lines that end close to each other do not overlap. */
function labelHeights(ends: readonly number[]): readonly number[] {
  const heights = [...ends];
  const fromTop = heights.map((_, index) => index).toSorted((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  let lowest = Number.NEGATIVE_INFINITY;
  for (const index of fromTop) {
    lowest = Math.max(heights[index] ?? 0, lowest + 14);
    heights[index] = lowest;
  }
  return heights;
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= value) ?? 10);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
