import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AdmittedKind,
  admittedKinds,
  createOf,
  definitionOf,
  type Made,
  pathOf,
  unmatched,
  type Write,
  writes,
  writtenMap,
} from './admission-cases.ts';
import {
  type Addition,
  alternate,
  type Alternation,
  figuresOf,
  inOrder,
  meanOf,
  settledAfter,
  type Turn,
} from './alternation.ts';
import { binnacle } from './binnacle.ts';
import type { HookAddress } from './hook-server.ts';
import { exactCpuUs } from './process-usage.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';

const many = 100;
const startLimitMs = 30_000;
/** A server is quiet when it uses less in such a time. */
const quiet = { windowMs: 500, usedUs: 5_000 };

export interface AdmissionOptions {
  readonly unmatched: Alternation;
  readonly matched: Alternation;
}

const thorough: AdmissionOptions = {
  unmatched: { warmUp: settledAfter / 4, pairs: 100 },
  matched: { warmUp: settledAfter, pairs: 60 },
};

/**
 * What webhooks and policies add to a write: medians of the differences between turns next to each other. The writes
 * are dry runs, which admission treats like others, because the cost of storing varies by more than that of admission.
 */
export async function measureAdmission(
  nodeArguments: readonly string[],
  options: AdmissionOptions = thorough,
): Promise<TargetReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const hooks = fork(join(import.meta.dirname, 'hook-server.ts'), { execArgv: [] });
  try {
    const [address] = (await once(hooks, 'message')) as [HookAddress]; // its only message
    const start = async (name: string): Promise<Session> =>
      new Session(await binnacle(nodeArguments).start(join(dataDir, name)), 0);
    await using first = await start('first');
    await first.namespaceExists();
    await using second = await start('second');
    await second.namespaceExists();
    const figures = [...(await compareUnmatched([first, second], unmatched(address), options.unmatched))];
    figures.push(...(await compareMatched(first, admittedKinds(address), options.matched)));
    return { target: 'Binnacle', figures };
  } finally {
    hooks.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * One server has them and the other one has not, and then the other way round. Both have had them before: what has come
 * through a server decides how its code is compiled.
 */
async function compareUnmatched(
  servers: readonly [Session, Session],
  objects: readonly Made[],
  alternation: Alternation,
): Promise<readonly Figure[]> {
  for (const server of servers) await make(server, [writtenMap]);
  for (const server of servers) await make(server, objects, many);
  const runs: (readonly Addition[])[] = [];
  for (const [without, added] of [servers, servers.toReversed()] as const) {
    if (without === undefined || added === undefined) throw new Error('there are two servers');
    await remove(without, objects, many);
    for (const server of servers) await untilQuiet(server);
    const run = await inOrder(Object.values(writes), (write) =>
      alternate({ without: turnOf(without, write), added: turnOf(added, write) }, alternation),
    );
    runs.push(run);
    await make(without, objects, many);
  }
  const added = `added by ${many} webhooks and policies of each kind that do not match`;
  return Object.keys(writes).flatMap((name, index) => {
    const [one, other] = runs.map((run) => run[index]);
    if (one === undefined || other === undefined) throw new Error('there are two runs');
    return figuresOf({ base: `${name} of a ConfigMap`, added }, meanOf([one, other]));
  });
}

/** Each has a kind of its own, which takes turns with one that nothing matches. */
async function compareMatched(
  admin: Session,
  [plain, ...others]: ReturnType<typeof admittedKinds>,
  alternation: Alternation,
): Promise<readonly Figure[]> {
  for (const kind of [plain, ...others]) {
    await make(admin, [definitionOf(kind), ...kind.objects]);
    await untilServed(admin, kind);
  }
  await untilQuiet(admin);
  const figures: Figure[] = [];
  for (const kind of others) {
    const turns = { without: turnOf(admin, createOf(plain)), added: turnOf(admin, createOf(kind)) };
    const names = { base: 'create of a custom object', added: `added by ${kind.added ?? ''}` };
    figures.push(...figuresOf(names, await alternate(turns, alternation)));
  }
  return figures;
}

const one = { kind: 'requests', from: 0, count: 1, names: 1, concurrency: 1 } as const;

function turnOf(server: Session, write: Write): Turn {
  return {
    pids: server.target.pids,
    send: async (count) => {
      await server.load({ ...one, ...write, count, concurrency: 16 });
    },
  };
}

async function make(admin: Session, objects: readonly Made[], count = 1): Promise<void> {
  for (const { path, body } of objects) {
    await admin.load({ ...one, method: 'POST', path, body: JSON.stringify(body), count, concurrency: 16 });
  }
}

async function remove(admin: Session, objects: readonly Made[], count: number): Promise<void> {
  for (const { path } of objects.toReversed()) {
    await admin.load({ ...one, method: 'DELETE', path: `${path}/bench-{number}`, count, concurrency: 16 });
  }
}

async function untilServed(admin: Session, kind: AdmittedKind): Promise<void> {
  const limit = performance.now() + startLimitMs;
  for (;;) {
    try {
      await admin.load({ ...one, method: 'GET', path: pathOf(kind) });
      return;
    } catch (error) {
      if (performance.now() > limit || !(error instanceof Error) || !error.message.includes(': 404 ')) throw error;
      await delay(100);
    }
  }
}

/** Resolves when controllers have done what changes lead to, such as checking the types of policies. */
async function untilQuiet(admin: Session): Promise<void> {
  const limit = performance.now() + startLimitMs;
  for (let usedUs = Number.POSITIVE_INFINITY; usedUs > quiet.usedUs;) {
    if (performance.now() > limit) throw new Error('the server does not come to rest');
    const beforeUs = exactCpuUs(admin.target.pids);
    await delay(quiet.windowMs);
    usedUs = exactCpuUs(admin.target.pids) - beforeUs;
  }
}
