import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, rssMiB } from '../process-usage.ts';
import { Session } from '../session.ts';
import type { Target } from '../target.ts';
import { type AddFigures, cpuFigure, type Figure, type Row } from './row.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const settleMs = 5000;
/** By then V8 has given back what a burst of work took. */
const restMs = 30_000;
/** kube-apiserver establishes some 14 definitions a second on a busy machine, after it has accepted all of them. */
const serveLimitMs = 600_000;
const rules = 20;
const instances = 10_000;

/**
 * What definitions cost: each of them, the documents that tell of all of them, a start with them, and instances of one
 * that has rules.
 */
export const definitionsRow: Row = {
  name: 'definitions',
  ofTarget: (target, { definitions }, add) => measureDefinitions(target, definitions, add),
};

async function measureDefinitions(target: Target, definitions: number, add: AddFigures): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    await withServer(target, dataDir, async (session) => {
      add(await creation(session, definitions));
      add(await documents(session, definitions));
    });
    await withServer(target, dataDir, async ({ target: { startMs } }) =>
      add([{ name: `start to /readyz with ${definitions} definitions`, unit: 'ms', value: startMs }]),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  const ruledDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    await withServer(target, ruledDir, async (session) => add(await ruledInstances(session)));
  } finally {
    rmSync(ruledDir, { recursive: true, force: true });
  }
}

async function withServer<T>(target: Target, dataDir: string, use: (session: Session) => Promise<T>): Promise<T> {
  await using session = new Session(await target.start(dataDir), 0);
  return await use(session);
}

interface Kind {
  readonly plural: string;
  readonly kind: string;
  readonly group: string;
  readonly spec: object;
}

function definitionText({ plural, kind, group, spec }: Kind): string {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return JSON.stringify({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}

/** Fields of two types, and rules about pairs of them. */
function specOf(fields: number, rulesOfIt: number): object {
  const of = (index: number): object =>
    index % 2 === 0 ? { type: 'integer', minimum: 0 } : { type: 'string', maxLength: 64, pattern: '^[a-z0-9-]*$' };
  const described = (index: number): object => ({ ...of(index), description: `Field number ${index} of the bench.` });
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`field${index}`, described(index)]),
  );
  const validations = Array.from({ length: rulesOfIt }, (_, index) => ({
    rule: `self.field${index * 2} <= self.field${index * 2 + 2}`,
    message: 'must be in order',
  }));
  return { type: 'object', properties, 'x-kubernetes-validations': validations };
}

/** CPU until all are served and the server is at rest. */
async function creation(session: Session, definitions: number): Promise<readonly Figure[]> {
  const { pids } = session.target;
  const beforeMs = cpuMs(pids);
  const beforeMiB = rssMiB(pids);
  const group = 'g{shard}.example.com';
  const body = definitionText({ plural: 'things{number}', kind: 'Thing{number}', group, spec: specOf(60, 1) });
  const job = { method: 'POST', path: definitionsPath, body, names: 1, concurrency: 4 };
  await session.requests({ ...job, from: 0, count: definitions });
  const last = definitions - 1;
  await served(session, `/apis/g${last % 100}.example.com/v1/namespaces/default/things${last}`);
  await delay(settleMs);
  const usedMs = cpuMs(pids) - beforeMs;
  const forEach = (name: string): Figure => ({
    name,
    unit: 'KiB',
    value: ((rssMiB(pids) - beforeMiB) * 1024) / definitions,
  });
  const atOnce = forEach('RSS for each');
  await delay(restMs);
  return [
    { name: `${definitions} definitions created and served, CPU`, unit: 'ms', value: usedMs },
    atOnce,
    forEach('RSS for each, half a minute later'),
  ];
}

async function documents(session: Session, definitions: number): Promise<readonly Figure[]> {
  const { pids } = session.target;
  const ask = async (path: string, accept: string): Promise<number> => {
    const beforeMs = cpuMs(pids);
    const job = { method: 'GET', path, accept, from: 0, count: 1, names: 1, concurrency: 1 };
    await session.requests(job);
    return cpuMs(pids) - beforeMs;
  };
  const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return [
    { name: `aggregated discovery of ${definitions}`, unit: 'ms', value: await ask('/apis', discovery) },
    { name: `/openapi/v2 of ${definitions}`, unit: 'ms', value: await ask('/openapi/v2', 'application/json') },
  ];
}

/** Instances of a kind with many rules. */
async function ruledInstances(session: Session): Promise<readonly Figure[]> {
  const group = 'ruled.example.com';
  const fields = (rules + 1) * 2;
  const body = definitionText({ plural: 'crates', kind: 'Crate', group, spec: specOf(fields, rules) });
  const one = { from: 0, count: 1, names: 1, concurrency: 1 };
  await session.requests({ method: 'POST', path: definitionsPath, body, ...one });
  const path = `/apis/${group}/v1/namespaces/default/crates`;
  await served(session, path);
  await session.namespaceExists();
  const spec = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`field${index}`, index % 2 === 0 ? index : `text-${index}`]),
  );
  const crate = { apiVersion: `${group}/v1`, kind: 'Crate', metadata: { name: 'crate-{number}' }, spec };
  const create = { method: 'POST', path, body: JSON.stringify(crate), names: 1, concurrency: 16 };
  const warmUp = Math.floor(instances / 10);
  await session.requests({ ...create, from: 0, count: warmUp });
  const created = await session.requests({ ...create, from: warmUp, count: instances - warmUp });
  const patch = JSON.stringify({ spec: { field1: 'text-{number}' } });
  const contentType = 'application/merge-patch+json';
  const update = {
    method: 'PATCH',
    path: `${path}/crate-{number}`,
    contentType,
    body: patch,
    names: 1,
    concurrency: 16,
  };
  await session.requests({ ...update, from: 0, count: warmUp });
  const updated = await session.requests({ ...update, from: warmUp, count: 3000 });
  const list = { method: 'GET', path: `${path}?resourceVersion=0`, names: 1, concurrency: 1, from: 0 };
  await session.requests({ ...list, count: 2 });
  return [
    cpuFigure(`create an instance with ${rules} rules`, created),
    cpuFigure(`merge patch of an instance with ${rules} rules`, updated),
    cpuFigure(`list of ${instances} instances`, await session.requests({ ...list, count: 10 })),
  ];
}

/** Resolves when the path of a kind answers. */
async function served(session: Session, path: string): Promise<void> {
  const limit = performance.now() + serveLimitMs;
  for (;;) {
    try {
      await session.requests({ method: 'GET', path, from: 0, count: 1, names: 1, concurrency: 1 });
      return;
    } catch (error) {
      // 429: kube-apiserver has not filled the watch cache of the kind.
      const isEarly = error instanceof Error && /: (404|429) /.test(error.message);
      if (performance.now() > limit || !isEarly) throw error;
      await delay(50);
    }
  }
}
