import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binnacle } from './binnacle.ts';
import { cpuMs, rssMiB } from './process-usage.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import type { RunningTarget } from './target.ts';

/** Connections; with few of them, one thread may have many more than another. */
const connections = 64;
const streams = 2;
/** V8 compiles on each thread through the first 20,000 requests or so. */
const settling = 60_000;
/** For a time and not a count: connections of the thread that has fewer of them would be done first. */
const turnSeconds = 4;
/** Turns of each, alternating. */
const turns = 7;

interface Job {
  readonly name: string;
  readonly path: string;
  /** Absent: a GET. */
  readonly body?: object;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const jobs: readonly Job[] = [
  { name: 'get of one', path: '/api/v1/namespaces/default' },
  {
    name: 'create of a ConfigMap',
    path: configMaps,
    body: { metadata: { generateName: 'made-' }, data: { key: 'value' } },
  },
];

/** One thread and two, asked in turns by h2load (Debian's nghttp2-client), which takes little of the processors. */
export async function measureThreads(nodeArguments: readonly string[]): Promise<readonly TargetReport[]> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'secret,administrator,administrator,system:masters\n');
  const servers: { readonly threads: number; readonly server: RunningTarget; readonly figures: Figure[] }[] = [];
  try {
    for (const threads of [1, 2]) {
      const flags = [`--token-auth-file=${tokens}`, `--api-threads=${threads}`];
      const server = await binnacle(nodeArguments, flags).start(join(folder, String(threads)));
      servers.push({ threads, server, figures: [{ name: 'idle memory', unit: 'MiB', value: rssMiB(server.pids) }] });
    }
    for (const job of jobs) {
      for (const { server } of servers) await run(server, job, { folder, limit: ['-n', String(settling)] });
      if (job.body !== undefined)
        for (const { server, figures } of servers)
          figures.push({ name: `memory after ${settling} of them`, unit: 'MiB', value: rssMiB(server.pids) });
      const measured = servers.map((): Measured[] => []);
      for (let turn = 0; turn < turns; turn += 1)
        for (const [index, { server }] of servers.entries())
          measured[index]?.push(await run(server, job, { folder, limit: ['-D', String(turnSeconds)] }));
      for (const [index, { figures }] of servers.entries()) figures.push(...figuresOf(job, measured[index] ?? []));
    }
    return servers.map(({ threads, figures }) => ({ target: `${threads} thread${threads > 1 ? 's' : ''}`, figures }));
  } finally {
    for (const { server } of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Per request. */
interface Measured {
  /** Time per request over the whole turn: a million divided by it is the number answered in a second. */
  readonly timeUs: number;
  readonly cpuUs: number;
}

async function run(
  { access, pids }: RunningTarget,
  { path, body }: Job,
  { folder, limit }: { readonly folder: string; readonly limit: readonly string[] },
): Promise<Measured> {
  const file = join(folder, 'body.json');
  if (body !== undefined) writeFileSync(file, JSON.stringify(body));
  const beforeMs = cpuMs(pids);
  const { stdout } = await promisify(execFile)('h2load', [
    ...limit,
    '-c',
    String(connections),
    '-m',
    String(streams),
    '-H',
    'authorization: Bearer secret',
    ...(body === undefined ? [] : ['-d', file, '-H', 'content-type: application/json']),
    `${access.url}${path}`,
  ]);
  const perSecond = Number(/finished in .*, ([\d.]+) req\/s/.exec(stdout)?.[1]);
  const [, succeeded, others] = /status codes: (\d+) 2xx, (.*)/.exec(stdout) ?? [];
  if (others !== '0 3xx, 0 4xx, 0 5xx') throw new Error(`${path}: ${stdout}`);
  return { timeUs: 1e6 / perSecond, cpuUs: ((cpuMs(pids) - beforeMs) * 1_000) / Number(succeeded) };
}

function figuresOf({ name }: Job, measured: readonly Measured[]): readonly Figure[] {
  const median = (of: (one: Measured) => number): number => measured.map(of).toSorted((a, b) => a - b)[turns >> 1] ?? 0;
  return [
    { name: `${name}, time`, unit: 'us', value: median(({ timeUs }) => timeUs) },
    { name: `${name}, CPU`, unit: 'us', value: median(({ cpuUs }) => cpuUs) },
  ];
}
