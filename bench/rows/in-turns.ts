import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inOrder, median } from '../alternation.ts';
import type { LoadResult, RequestJob } from '../load.ts';
import { podsPath } from '../pod.ts';
import { exactCpuUs } from '../process-usage.ts';
import { findReference } from '../reference.ts';
import type { TargetReport } from '../report.ts';
import { Session } from '../session.ts';
import { type TargetChoice, targetsOf } from '../targets.ts';
import type { Target } from '../target.ts';
import { createInProtobuf, inProtobuf } from './protobuf.ts';
import { concurrency, type RequestCase, requestCases } from './requests.ts';
import type { Figure } from './row.ts';

const pods = 500;
const names = Number.MAX_SAFE_INTEGER;
const podPath = `${podsPath}/{name}`;
const single = ['get', 'put', 'merge-patch', 'strategic-patch', 'apply'];
/** V8 compiles through the first 20,000 requests; each kind of them adds its own. */
const warmUp = 5000;
/** Turns of all servers alternate, so that a machine whose speed changes favours none. */
const turns = 20;
const requestsOfTurn = 200;

type Job = Omit<RequestJob, 'kind' | 'from' | 'count'>;

interface RepeatedCase {
  readonly what: string;
  readonly job: (session: Session) => Promise<Job>;
  /** Sent before as many requests of the case, and not measured. */
  readonly prepare?: (session: Session) => Promise<Job>;
}

const createJob = async (session: Session): Promise<Job> => ({
  method: 'POST',
  path: podsPath,
  names,
  concurrency,
  body: await session.podBody(),
});

const cases: readonly RepeatedCase[] = [
  ...requestCases.filter(({ row }) => single.includes(row)).map(onPods),
  {
    what: 'delete pod',
    job: async () => ({ method: 'DELETE', path: `${podPath}?gracePeriodSeconds=0`, names, concurrency }),
    prepare: createJob,
  },
  { what: 'create pod', job: createJob },
];

const casesInProtobuf: readonly RepeatedCase[] = [
  ...requestCases.filter(({ row }) => single.includes(row) && row !== 'apply').map((each) => onPods(inProtobuf(each))),
  { what: 'create pod in protobuf', job: createInProtobuf },
];

function onPods({ what, request }: RequestCase): RepeatedCase {
  return { what, job: async (session) => ({ ...(await request(session)), names: pods, concurrency }) };
}

/** Single requests to servers whose objects are in an etcd each: CPU time of both processes, and of etcd alone. */
export async function measureEtcd(choice: TargetChoice): Promise<readonly TargetReport[]> {
  if (findReference() === undefined) {
    console.error('etcd: not measured, because there is none in the folder of the reference');
    return [];
  }
  return measureInTurns(targetsOf({ ...choice, isEmbedded: false, onEtcd: true }), cases);
}

/** Single requests in JSON and protobuf to servers that have compiled what they run, in turns. */
export function measureSettled(choice: TargetChoice): Promise<readonly TargetReport[]> {
  return measureInTurns(targetsOf(choice), [...cases, ...casesInProtobuf]);
}

async function measureInTurns(
  targets: readonly Target[],
  repeated: readonly RepeatedCase[],
): Promise<readonly TargetReport[]> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const measured = await inOrder(targets, async (target) => {
    const { name } = target;
    const session = opened.use(new Session(await target.start(join(folder, name)), pods));
    await session.createPods();
    return { session, report: { target: name, figures: [] as Figure[] } };
  });
  const series = await inOrder(repeated, (each) => inOrder(measured, ({ session }) => Repeated.of(session, each)));
  // Cases share most of their code, and the last one to settle changes what the first one has compiled.
  for (const ofCase of series) for (const one of ofCase) await one.settle();
  for (const [index, { what }] of repeated.entries()) {
    const ofCase = series[index] ?? [];
    for (let turn = 0; turn < turns; turn += 1) for (const one of ofCase) await one.measure();
    for (const [at, one] of ofCase.entries()) measured[at]?.report.figures.push(...one.figures(what));
  }
  return measured.map(({ report }) => report);
}

/** The requests of a case to one server, numbered on. */
class Repeated {
  readonly #session: Session;
  readonly #job: Job;
  readonly #prepared: Job | undefined;
  readonly #latenciesMs: number[] = [];
  readonly #totalUs: number[] = [];
  readonly #etcdUs: number[] = [];
  #elapsedMs = 0;
  /** After those of the pods that there are. */
  #from = pods;

  constructor(session: Session, job: Job, prepared: Job | undefined) {
    this.#session = session;
    this.#job = job;
    this.#prepared = prepared;
  }

  static async of(session: Session, { job, prepare }: RepeatedCase): Promise<Repeated> {
    return new Repeated(session, await job(session), await prepare?.(session));
  }

  async settle(): Promise<void> {
    for (let sent = 0; sent < warmUp; sent += requestsOfTurn) {
      await this.#prepare();
      await this.#send();
    }
  }

  async measure(): Promise<void> {
    const { pids, etcdPid } = this.#session.target;
    const etcdPids = etcdPid === undefined ? [] : [etcdPid];
    await this.#prepare();
    const before = { total: exactCpuUs(pids), etcd: exactCpuUs(etcdPids) };
    const { latenciesMs, elapsedMs } = await this.#send();
    this.#totalUs.push((exactCpuUs(pids) - before.total) / requestsOfTurn);
    this.#etcdUs.push((exactCpuUs(etcdPids) - before.etcd) / requestsOfTurn);
    this.#latenciesMs.push(...latenciesMs);
    this.#elapsedMs += elapsedMs;
  }

  async #prepare(): Promise<void> {
    if (this.#prepared !== undefined) await this.#load(this.#prepared);
  }

  async #send(): Promise<LoadResult> {
    const result = await this.#load(this.#job);
    this.#from += requestsOfTurn;
    return result;
  }

  #load(job: Job): Promise<LoadResult> {
    return this.#session.load({ kind: 'requests', ...job, from: this.#from, count: requestsOfTurn });
  }

  figures(what: string): readonly Figure[] {
    const sorted = this.#latenciesMs.toSorted((a, b) => a - b);
    const quantile = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
    const perSecond = (sorted.length / this.#elapsedMs) * 1000;
    const details = { perSecond, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
    const total: Figure = { name: what, unit: 'us', value: median(this.#totalUs), details };
    if (this.#session.target.etcdPid === undefined) return [total];
    return [total, { name: `${what}, of that etcd`, unit: 'us', value: median(this.#etcdUs) }];
  }
}
