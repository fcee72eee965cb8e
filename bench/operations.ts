import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentSpan } from '../src/api/contracts/span.ts';
import {
  type Addition,
  alternate,
  type Alternation,
  figuresOf,
  meanOf,
  settledAfter,
  type Turn,
} from './alternation.ts';
import { binnacle } from './binnacle.ts';
import type { RequestJob } from './load.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';

const group = 'bench.example.com';
const namespace = '/api/v1/namespaces/default';
const valueBytes = 4096;
const concurrency = 16;
const cold: Alternation = { warmUp: 400, pairs: 20 };
/** Short turns, and many: a write differs from the next one by more than what is measured. */
const settled: Alternation = { warmUp: settledAfter, pairs: 1_000, requests: 100 };
/** Servers differ by when they were started, so they are started several times. */
const settledEachTime: Alternation = { warmUp: settledAfter, pairs: 150 };
const timesStarted = 4;

/** What encryption, flow control and tracing add to requests. */
export async function measureOperations(nodeArguments: readonly string[]): Promise<TargetReport> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    const start: Start = async (name, flags) =>
      new Session(await binnacle(nodeArguments, flags).start(join(folder, name)), 0);
    const figures = [
      ...(await sealing(start, folder)),
      ...(await flowControl(start, folder)),
      ...(await tracing(start, folder)),
      lookAtSpan(),
    ];
    return { target: 'Binnacle', figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Start = (name: string, flags: readonly string[]) => Promise<Session>;

/** Two kinds of one server that differ in nothing but the encryption of one. */
async function sealing(start: Start, folder: string): Promise<readonly Figure[]> {
  const file = join(folder, 'encryption.json');
  const aesgcm = { keys: [{ name: 'a', secret: Buffer.alloc(32, 7).toString('base64') }] };
  const resources = [{ resources: [`sealeds.${group}`], providers: [{ aesgcm }] }];
  const head = { kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  writeFileSync(file, JSON.stringify({ ...head, resources }));
  await using server = await start('sealing', [`--encryption-provider-config=${file}`]);
  for (const plural of ['plains', 'sealeds']) await define(server, plural);
  const figures: Figure[] = [];
  for (const [state, alternation] of [
    ['cold', cold],
    ['settled', settled],
  ] as const) {
    const write = await alternate({ without: writes(server, 'plains'), added: writes(server, 'sealeds') }, alternation);
    figures.push(...figuresOf(names(`create of a custom object of 4 KB, ${state}`, 'aesgcm'), write));
  }
  const ofMany = { without: await patches(server, 'plains'), added: await patches(server, 'sealeds') };
  const patch = await alternate(ofMany, settled);
  figures.push(...figuresOf(names('merge patch of a custom object of 4 KB, settled', 'aesgcm'), patch));
  const ofOne = {
    without: gets(server, `${pathOf('plains')}/one`),
    added: gets(server, `${pathOf('sealeds')}/one`),
  };
  const read = await alternate(ofOne, settled);
  return [...figures, ...figuresOf(names('get of one, settled', 'aesgcm'), read)];
}

/** Two servers, of which one has flow control. Administrators are exempt from it: somebody else asks. */
async function flowControl(start: Start, folder: string): Promise<readonly Figure[]> {
  const off = '--enable-priority-and-fairness=false';
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'secret,somebody,somebody\n');
  const startForSomebody: Start = async (name, flags) => {
    const { target } = await start(name, [...flags, `--token-auth-file=${tokens}`]);
    const { url, ca } = target.access;
    return new Session({ ...target, access: { url, ca, token: 'secret' } }, 0);
  };
  const flags = { without: [off], added: [] };
  return compareServers({ start: startForSomebody, flags, what: 'flow control' }, '/version');
}

async function tracing(start: Start, folder: string): Promise<readonly Figure[]> {
  const file = join(folder, 'tracing.json');
  const head = { kind: 'TracingConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  writeFileSync(file, JSON.stringify({ ...head, endpoint: '127.0.0.1:9', samplingRatePerMillion: 0 }));
  const flags = { without: [], added: [`--tracing-config-file=${file}`] };
  return compareServers({ start, flags, what: 'tracing that samples nothing' }, namespace);
}

interface Compared {
  readonly start: Start;
  readonly flags: { readonly without: readonly string[]; readonly added: readonly string[] };
  readonly what: string;
}

/** In several runs, in which either is started first. */
async function compareServers({ start, flags, what }: Compared, path: string): Promise<readonly Figure[]> {
  const runs: Record<'cold' | 'settled', Addition[]> = { cold: [], settled: [] };
  for (let run = 0; run < timesStarted; run += 1) {
    const [one, other] = run % 2 === 0 ? (['without', 'added'] as const) : (['added', 'without'] as const);
    await using first = await start(`${what}-${run}-${one}`, flags[one]);
    await using second = await start(`${what}-${run}-${other}`, flags[other]);
    const [without, added] = one === 'without' ? [first, second] : [second, first];
    const turns = { without: gets(without, path), added: gets(added, path) };
    runs.cold.push(await alternate(turns, cold));
    runs.settled.push(await alternate(turns, settledEachTime));
  }
  return (['cold', 'settled'] as const).flatMap((state) =>
    figuresOf(names(`get of ${path}, ${state}`, what), meanOf(runs[state])),
  );
}

function names(base: string, what: string): { readonly base: string; readonly added: string } {
  return { base, added: `added by ${what}` };
}

async function define(server: Session, plural: string): Promise<void> {
  const free = { type: 'object', additionalProperties: { type: 'string' } };
  const openAPIV3Schema = { type: 'object', properties: { data: free } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const spec = { group, scope: 'Namespaced', names: { plural, kind: kindOf(plural) }, versions };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await send(server, 'POST', path, { metadata: { name: `${plural}.${group}` }, spec });
  await new Promise((resolve) => void setTimeout(resolve, 1_000));
  await send(server, 'POST', pathOf(plural), objectOf(plural, 'one'));
}

function kindOf(plural: string): string {
  return `Bench${plural}`;
}

function pathOf(plural: string): string {
  return `/apis/${group}/v1/namespaces/default/${plural}`;
}

function objectOf(plural: string, name: string): object {
  return {
    apiVersion: `${group}/v1`,
    kind: kindOf(plural),
    metadata: { name },
    data: { value: 'x'.repeat(valueBytes) },
  };
}

async function send(server: Session, method: string, path: string, body: object): Promise<void> {
  await server.load({ ...single, method, path, body: JSON.stringify(body) });
}

const single = { kind: 'requests', from: 0, count: 1, names: 1, concurrency: 1 } as const;

function turnOf(server: Session, job: Pick<RequestJob, 'method' | 'path' | 'contentType' | 'body'>): Turn {
  let from = 0;
  return {
    pids: server.target.pids,
    async send(count) {
      await server.load({ ...single, ...job, from, count, concurrency });
      from += count;
    },
  };
}

function writes(server: Session, plural: string): Turn {
  const body = JSON.stringify(objectOf(plural, `n-${runs.next().value}-{number}`));
  return turnOf(server, { method: 'POST', path: pathOf(plural), body });
}

/** Merge patches of a hundred objects, one after the other. */
async function patches(server: Session, plural: string): Promise<Turn> {
  const made = JSON.stringify(objectOf(plural, 'patched-{shard}'));
  await server.load({ ...single, method: 'POST', path: pathOf(plural), body: made, count: 100 });
  const body = JSON.stringify({ data: { value: `${'x'.repeat(valueBytes)}{number}` } });
  const contentType = 'application/merge-patch+json';
  return turnOf(server, { method: 'PATCH', path: `${pathOf(plural)}/patched-{shard}`, contentType, body });
}

/** Objects of several runs have different names. */
const runs = (function* count(): Generator<number, number> {
  for (let run = 0; ; run += 1) yield run;
})();

function gets(server: Session, path: string): Turn {
  return turnOf(server, { method: 'GET', path });
}

/** In process: what code pays that asks for the step that runs, while nothing is traced. */
function lookAtSpan(): Figure {
  const looks = 10_000_000;
  let found = 0;
  const look = (): number => {
    const before = process.cpuUsage();
    for (let index = 0; index < looks; index += 1) if (currentSpan() !== undefined) found += 1;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / looks;
  };
  look();
  const us = Math.min(...Array.from({ length: 5 }, look));
  if (found > 0) throw new Error('something is traced');
  return { name: 'a look for the step of a trace, without tracing', unit: 'us', value: us };
}
