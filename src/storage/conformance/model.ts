import fc from 'fast-check';
import { expect } from 'vitest';
import type { KeyValue, Storage } from '../contract.ts';
import { codeOf, Fixture, type Recorder, valueText } from './fixture.ts';

/** Random operations behave as on a Map that keeps every revision. A failure prints fast-check's seed. */
export async function testAgainstModel(storage: Storage, numRuns = 15): Promise<void> {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 120, size: 'max' }), async (steps) => {
    const store = new Fixture(storage);
    const model = new Model(await store.storage.currentRevision());
    for (const one of steps) await take(one, store, model);
    for (const { watch, after } of model.watches) await checkWatch(watch, model.linesAfter(after));
  });
  await fc.assert(property, { numRuns });
}

const name = fc.constantFrom('a', 'b', 'b/c', 'é', '\uffff', '😀');
/** Which expectation to use: the correct one, absent, or an outdated one. */
const expectation = fc.constantFrom('right', 'right', 'right', 'absent', 'old');
const back = fc.integer({ min: 0, max: 12 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('put' as const), name, expectation, value: fc.string({ maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), name, expectation }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      back,
      limit: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('get' as const), name, back }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('watch' as const), back }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const), back }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Version {
  readonly value: string;
  readonly modRevision: number;
  readonly createRevision: number;
}

class Model {
  /** States by revision, from the initial one. */
  readonly states: ReadonlyMap<string, Version>[] = [new Map()];
  readonly lines: string[] = [];
  readonly watches: { readonly watch: Recorder; readonly after: number }[] = [];
  readonly first: number;
  compacted: number;

  constructor(revision: number) {
    this.first = revision;
    this.compacted = 0;
  }

  get revision(): number {
    return this.first + this.states.length - 1;
  }

  get latest(): ReadonlyMap<string, Version> {
    return this.states.at(-1)!;
  }

  at(revision: number): ReadonlyMap<string, Version> {
    return this.states[revision - this.first]!;
  }

  set(key: string, value: string | undefined): void {
    const before = this.latest.get(key);
    const next = new Map(this.latest);
    const modRevision = this.revision + 1;
    next.delete(key);
    if (value !== undefined)
      next.set(key, { value, modRevision, createRevision: before?.createRevision ?? modRevision });
    const was = before === undefined ? '' : ` (${before.modRevision}=${before.value})`;
    this.lines.push(`${modRevision}${value === undefined ? `-${key}` : `+${key}=${value}`}${was}`);
    this.states.push(next);
  }

  linesAfter(revision: number): string[] {
    return this.lines.slice(revision - this.first);
  }
}

async function take(one: Step, store: Fixture, model: Model): Promise<void> {
  switch (one.type) {
    case 'put':
    case 'delete':
      return write(one, store, model);
    case 'get':
    case 'list':
      return read(one, store, model);
    case 'watch': {
      const after = Math.max(model.first, model.compacted, (await store.storage.currentRevision()) - one.back);
      model.watches.push({ watch: store.watch(after), after });
      return;
    }
    case 'compact': {
      const revision = (await store.storage.currentRevision()) - one.back;
      if (revision <= model.compacted || revision <= model.first) return;
      model.compacted = revision;
      await store.storage.compact(revision);
    }
  }
}

async function write(one: Extract<Step, { type: 'put' | 'delete' }>, store: Fixture, model: Model): Promise<void> {
  const before = model.latest.get(one.name);
  const right = before?.modRevision ?? 0;
  const expectedModRevision = { right, absent: 0, old: model.first }[one.expectation];
  const value = one.type === 'put' ? one.value : undefined;
  const succeeds = expectedModRevision === right && (value !== undefined || before !== undefined);
  if (succeeds) model.set(one.name, value);
  const revision = model.revision;
  const request = { key: store.key(one.name), expectedModRevision };
  const result = await (value === undefined
    ? store.storage.delete(request)
    : store.storage.put({ ...request, value: Buffer.from(value) }));
  expect(result.succeeded).toBe(succeeds);
  if (succeeds) expect(result.revision).toBe(revision);
}

async function read(one: Extract<Step, { type: 'get' | 'list' }>, store: Fixture, model: Model): Promise<void> {
  const revision = (await store.storage.currentRevision()) - one.back;
  if (revision < model.first) return;
  const at = { revision };
  const range = {
    start: store.prefix,
    end: store.end,
    ...at,
    ...(one.type === 'list' && one.limit !== null ? { limit: one.limit } : {}),
  };
  const reading = one.type === 'get' ? store.storage.get(store.key(one.name), at) : store.storage.range(range);
  if (revision < model.compacted) {
    expect(await codeOf(reading)).toBe('compacted');
    return;
  }
  const result = await reading;
  const state = model.at(revision);
  if ('kv' in result) {
    expect(result.kv && versionOf(result.kv)).toEqual(state.get(one.type === 'get' ? one.name : ''));
    return;
  }
  const keys = [...state.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const limit = one.type === 'list' && one.limit !== null ? one.limit : keys.length;
  expect(result.kvs.map((kv) => kv.key.slice(store.prefix.length))).toEqual(keys.slice(0, limit));
  expect(result.kvs.map(versionOf)).toEqual(keys.slice(0, limit).map((key) => state.get(key)));
  expect(result).toMatchObject({ count: keys.length, more: keys.length > limit });
}

function versionOf(kv: KeyValue): Version {
  return { value: valueText(kv.value), modRevision: kv.modRevision, createRevision: kv.createRevision };
}

async function checkWatch(watch: Recorder, lines: readonly string[]): Promise<void> {
  await watch.until(({ all, error }) => all.length >= lines.length || error !== undefined);
  // Compacted before it caught up: its events up to then must still be in order.
  if (watch.error?.code === 'compacted') expect(lines.slice(0, watch.lines.length)).toEqual(watch.lines);
  else expect(watch.lines).toEqual(lines);
}
