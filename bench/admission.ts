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
import { median } from './alternation.ts';
import { binnacle } from './binnacle.ts';
import type { HookAddress } from './hook-server.ts';
import { exactCpuUs } from './process-usage.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';

const rounds = 12;
const requestsOfTurn = 500;
const warmUp = 5_000;
const many = 100;
const startLimitMs = 30_000;
/** A server is quiet when it uses less in such a time. */
const quiet = { windowMs: 500, usedUs: 5_000 };

/**
 * What webhooks and policies add to a write: medians of the differences between turns next to each other on one server.
 * The writes are dry runs, which admission treats like others, because the cost of storing varies by more than that of
 * admission.
 */
export async function measureAdmission(nodeArguments: readonly string[]): Promise<TargetReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const hooks = fork(join(import.meta.dirname, 'hook-server.ts'), { execArgv: [] });
  const figures: Figure[] = [];
  try {
    const [address] = (await once(hooks, 'message')) as [HookAddress]; // its only message
    await using admin = new Session(await binnacle(nodeArguments).start(dataDir), 0);
    await admin.namespaceExists();
    figures.push(...(await compareUnmatched(admin, unmatched(address))));
    figures.push(...(await compareMatched(admin, admittedKinds(address))));
  } finally {
    hooks.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { target: 'Binnacle', figures };
}

/** The server has them in every other turn. */
async function compareUnmatched(admin: Session, objects: readonly Made[]): Promise<readonly Figure[]> {
  await make(admin, [writtenMap]);
  const all = Object.entries(writes);
  for (const [, write] of all) await used(admin, write, warmUp);
  const turns: number[][] = [];
  for (let turn = 0; turn <= 2 * rounds; turn += 1) {
    if (turn % 2 === 1) await make(admin, objects, many);
    else if (turn > 0) await remove(admin, objects, many);
    await untilQuiet(admin);
    const costs: number[] = [];
    for (const [, write] of all) {
      await used(admin, write, requestsOfTurn / 2);
      costs.push(await used(admin, write, requestsOfTurn));
    }
    turns.push(costs);
  }
  const added = `added by ${many} webhooks and policies of each kind that do not match`;
  return all.flatMap(([name], index) =>
    figuresOf(
      { base: `${name} of a ConfigMap`, added },
      turns.map((costs) => costs[index] ?? 0),
    ),
  );
}

/** Each has a kind of its own, which takes turns with one that nothing matches. */
async function compareMatched(
  admin: Session,
  [plain, ...others]: ReturnType<typeof admittedKinds>,
): Promise<readonly Figure[]> {
  for (const kind of [plain, ...others]) {
    await make(admin, [definitionOf(kind), ...kind.objects]);
    await untilServed(admin, kind);
  }
  await untilQuiet(admin);
  for (const kind of [plain, ...others]) await used(admin, createOf(kind), warmUp);
  const figures: Figure[] = [];
  for (const kind of others) {
    const turns: number[] = [];
    for (let turn = 0; turn <= 2 * rounds; turn += 1) {
      turns.push(await used(admin, createOf(turn % 2 === 0 ? plain : kind), requestsOfTurn));
    }
    figures.push(...figuresOf({ base: 'create of a custom object', added: `added by ${kind.added ?? ''}` }, turns));
  }
  return figures;
}

/** Every other turn is one with the addition. The machine gets slower and faster: it is compared with its neighbours. */
function figuresOf(names: { readonly base: string; readonly added: string }, turns: readonly number[]): Figure[] {
  const without = turns.filter((_, turn) => turn % 2 === 0);
  const added = turns.flatMap((cost, turn) =>
    turn % 2 === 0 ? [] : [cost - ((turns[turn - 1] ?? 0) + (turns[turn + 1] ?? 0)) / 2],
  );
  return [
    { name: names.base, unit: 'us', value: median(without) },
    { name: names.added, unit: 'us', value: median(added) },
  ];
}

const one = { kind: 'requests', from: 0, count: 1, names: 1, concurrency: 1 } as const;

/** CPU time per request, in microseconds. */
async function used(admin: Session, write: Write, count: number): Promise<number> {
  const beforeUs = exactCpuUs(admin.target.pids);
  await admin.load({ ...one, ...write, count, concurrency: 16 });
  return (exactCpuUs(admin.target.pids) - beforeUs) / count;
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
