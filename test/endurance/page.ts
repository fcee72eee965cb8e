import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { graphOf } from './graph.ts';
import { loads } from './loads.ts';
import type { Sample } from './sample.ts';
import { type RatedSample, withRates } from './rates.ts';

/** The first line of the samples. */
interface Head {
  readonly began: string;
  readonly commit: string;
  readonly node: string;
  readonly cores: number;
  readonly everySeconds: number;
  /** What is to be known about this run. */
  readonly note?: string;
}

/** Draws the samples in a folder, and writes the page about them. */
export async function writePage(folder: string): Promise<void> {
  const lines = (await readFile(join(folder, 'samples.jsonl'), 'utf8')).trimEnd().split('\n');
  const [head, ...taken] = lines.map((line) => JSON.parse(line) as unknown) as [Head, ...Sample[]];
  const samples = withRates(taken);
  const heading = `${durationOf(samples)} of mixed load, ${head.began.slice(0, 10)}, Node ${head.node.slice(1)}`;
  await writeFile(join(folder, 'graph.svg'), graphOf(samples, heading));
  await writeFile(join(folder, 'README.md'), pageOf(head, samples));
}

function pageOf(
  { began, commit, node, cores, everySeconds, note = '' }: Head,
  samples: readonly RatedSample[],
): string {
  const last = samples.at(-1);
  const day = began.slice(0, 10);
  const done = `${last?.steps ?? 0} steps, of which ${last?.faults ?? 0} ended otherwise than expected`;
  return `# Hours of mixed load

Written by \`node test/endurance/run.ts\` on ${day}: ${durationOf(samples)}, ${cores} cores, Node ${node.slice(1)},
commit ${commit}. A sample was taken every ${everySeconds} s ([samples.jsonl](samples.jsonl)).
There were ${done}.
${note === '' ? '' : `\n${wrapped(note)}\n`}
![What the process held over time](graph.svg)

Averages of the four quarters of the time:

| | first | second | third | fourth | fourth to second |
|---|---|---|---|---|---|
${figures.map((figure) => rowOf(figure, samples)).join('\n')}

Flat is what does not grow from the second quarter on. In the first one the server fills its caches and the history that
watches may ask for (five to ten minutes of it), V8 finds the size of its heap, and the metrics of definitions and
webhooks that are gone reach the number that is remembered (100 and 500). The load slows down when the machine is busy
with something else, and what lives for minutes follows it: history, idle connections to webhooks and their timers.

Timers include those that do not keep the process alive; handles are only those that do. Every ten minutes garbage is
collected after the sample, to know what is held.

## The load

All at the same time, on one server of the built release with its default flags and its embedded store, each step
followed by a pause of about the given length:

| | users | pause | a step |
|---|---|---|---|
${loads.map(({ name, users = 1, everyMs, does }) => `| ${name} | ${users} | ${everyMs} ms | ${does} |`).join('\n')}

Every account, definition, namespace, webhook and token has a name that was never there before, so that whatever is kept
by name shows. Repeat it with \`npm run build && nice node test/endurance/run.ts --seconds 7200\`, which writes this page,
the graph and the samples anew.
`;
}

interface Figure {
  readonly title: string;
  readonly of: (sample: RatedSample) => number | undefined;
}

const figures: readonly Figure[] = [
  { title: 'resident memory, MB', of: ({ residentBytes }) => residentBytes / 1e6 },
  { title: 'heap in use, MB', of: ({ heapUsedBytes }) => heapUsedBytes / 1e6 },
  { title: 'outside of the heap, MB', of: ({ externalBytes }) => externalBytes / 1e6 },
  {
    title: 'held after a collection, MB',
    of: ({ heldBytes }) => (heldBytes === undefined ? undefined : heldBytes / 1e6),
  },
  { title: 'open files', of: ({ openFiles }) => openFiles },
  { title: 'timers', of: ({ timers }) => timers },
  { title: 'handles', of: ({ handles }) => handles },
  { title: 'data folder, MB', of: ({ databaseBytes }) => databaseBytes / 1e6 },
  { title: 'objects', of: ({ objects }) => objects },
  { title: 'series of metrics', of: ({ series }) => series },
  { title: 'steps of the load per second', of: ({ stepsPerSecond }) => stepsPerSecond },
];

function rowOf({ title, of }: Figure, samples: readonly RatedSample[]): string {
  const averages = [0, 1, 2, 3].map((quarter) => {
    const values = samples
      .slice((samples.length * quarter) / 4, (samples.length * (quarter + 1)) / 4)
      .flatMap((sample) => of(sample) ?? []);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  const [, second = 0, , fourth = 0] = averages;
  return `| ${title} | ${averages.map((value) => value.toFixed(0)).join(' | ')} | ${(fourth / second).toFixed(2)} |`;
}

const columns = 120;

/** As lines of at most so many characters. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function durationOf(samples: readonly RatedSample[]): string {
  const minutes = Math.round((samples.at(-1)?.seconds ?? 0) / 60);
  return minutes < 60 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
