import { describe, expect, test } from 'vitest';
import type { Action, ObjectState, Operation, Outcome, ReceivedEvent, WatchSession, WatchStart } from '../recorded.ts';
import { checkRun } from './check-run.ts';

/*
 * One history for all cases; each version is named after its write.
 *
 *     revision  2       3       4       5         6
 *     a         w2      w3              deleted   w6
 *     b                         w4
 */
const a2: ObjectState = { name: 'a', revision: 2, uid: 'uid-2', base: 'w2', write: 'w2', side: 'left' };
const a3: ObjectState = { ...a2, revision: 3, base: 'w3', write: 'w3', side: 'right' };
const b4: ObjectState = { name: 'b', revision: 4, uid: 'uid-4', base: 'w4', write: 'w4', side: 'left' };
const a6: ObjectState = { name: 'a', revision: 6, uid: 'uid-6', base: 'w6', write: 'w6', side: 'left' };
const changes = [
  ...[a2, a3, b4].map((now) => ({ revision: now.revision, name: now.name, now })),
  { revision: 5, name: 'a', now: undefined },
  { revision: 6, name: 'a', now: a6 },
];

/** `[5, 6]`: from millisecond 5 to 6. */
function operation(times: readonly [number, number], action: Action, outcome: Outcome): Operation {
  return { client: 'client', server: 'server.1', invokedMs: times[0], returnedMs: times[1], action, outcome };
}

const writes: readonly Operation[] = [
  operation([10, 11], { verb: 'create', name: 'a', write: 'w2' }, { kind: 'object', object: a2 }),
  operation([20, 21], { verb: 'update', name: 'a', write: 'w3', expected: 2 }, { kind: 'object', object: a3 }),
  operation([30, 31], { verb: 'create', name: 'b', write: 'w4' }, { kind: 'unknown', detail: '' }),
  operation([40, 41], remove('a'), { kind: 'deleted', uid: 'uid-2' }),
  operation([50, 51], { verb: 'create', name: 'a', write: 'w6' }, { kind: 'object', object: a6 }),
];

function remove(name: string, expected?: number): Action {
  return { verb: 'delete', name, uid: undefined, expected };
}

function get(kind: 'latest' | 'any', name = 'a'): Action {
  return { verb: 'get', name, freshness: { kind } };
}

function getFrom(revision: number): Action {
  return { verb: 'get', name: 'a', freshness: { kind: 'notOlderThan', revision } };
}

function listed(revision: number, items: readonly ObjectState[]): Outcome {
  return { kind: 'list', revision, items, more: false, remaining: undefined };
}

const listAll: Action = { verb: 'list', freshness: { kind: 'latest' }, side: undefined, limit: 0, behind: undefined };
const object = (state: ObjectState): Outcome => ({ kind: 'object', object: state });

function kindsOf(run: {
  readonly operations?: readonly Operation[];
  readonly watches?: readonly WatchSession[];
}): string[] {
  const { operations = [], watches = [] } = run;
  return checkRun({ operations: [...writes, ...operations], watches, changes }).map(({ kind }) => kind);
}

test('correct runs have no violations', () => {
  expect(kindsOf({})).toEqual([]);
});

describe('operations', () => {
  test.for<readonly [string, Operation, readonly string[]]>([
    ['reads the latest', operation([25, 26], get('latest'), object(a3)), []],
    ['overlaps a write and sees it', operation([15, 25], get('latest'), object(a3)), []],
    ['overlaps a write and does not see it', operation([15, 25], get('latest'), object(a2)), []],
    ['misses an acknowledged write', operation([22, 23], get('latest'), object(a2)), ['stale-read']],
    ['misses one when it may', operation([22, 23], get('any'), object(a2)), []],
    ['misses a deletion', operation([42, 43], get('latest'), object(a3)), ['stale-read']],
    ['sees a deletion', operation([42, 43], get('latest'), { kind: 'absent' }), []],
    ['sees a deletion before it was asked for', operation([22, 23], get('latest'), { kind: 'absent' }), ['stale-read']],
    ['sees what never was', operation([22, 23], get('any'), object({ ...a2, write: 'w3' })), ['impossible-read']],
    ['lists the state', operation([45, 46], listAll, listed(5, [b4])), []],
    ['lists an old state', operation([45, 46], listAll, listed(4, [a3, b4])), ['stale-read']],
    ['lists another state', operation([45, 46], listAll, listed(5, [])), ['inconsistent-list']],
    ['is refused rightly', operation([32, 33], remove('a', 2), { kind: 'conflict' }), []],
    ['is refused wrongly', operation([32, 33], remove('a', 3), { kind: 'conflict' }), ['wrong-refusal']],
    ['deletes what is not there', operation([22, 23], remove('b'), { kind: 'absent' }), []],
    ['cannot delete what is there', operation([52, 53], remove('b'), { kind: 'absent' }), ['wrong-refusal']],
    [
      'deletes again',
      operation([44, 45], remove('a'), { kind: 'deleted', uid: 'uid-2' }),
      ['phantom-write', 'write-order'],
    ],
    ['deletes nothing', operation([52, 53], remove('a'), { kind: 'deleted', uid: 'uid-6' }), ['lost-write']],
    ['is told in vain to come later', operation([52, 53], getFrom(6), { kind: 'future' }), ['wrong-refusal']],
    ['is told to come later', operation([52, 3053], getFrom(6), { kind: 'future' }), []],
    ['fails', operation([52, 53], get('latest'), { kind: 'unexpected', detail: '500' }), ['unexpected-answer']],
  ])('%s', ([, one, kinds]) => {
    expect(kindsOf({ operations: [one] })).toEqual(kinds);
  });

  test('a write that is not in the history', () => {
    const lost = operation(
      [60, 61],
      { verb: 'patch', name: 'b', write: 'w7', expected: undefined },
      object({ ...b4, revision: 7, write: 'w7' }),
    );
    expect(kindsOf({ operations: [lost] })).toEqual(['lost-write']);
  });

  test('a change that was not requested', () => {
    const run = { operations: writes.filter(({ action }) => action.verb !== 'delete'), watches: [], changes };
    expect(checkRun(run).map(({ kind }) => kind)).toEqual(['phantom-write']);
  });

  test('a write that was refused but applied', () => {
    const refused = writes.map((write) =>
      write.outcome.kind === 'unknown' ? { ...write, outcome: { kind: 'exists' as const } } : write,
    );
    const kinds = checkRun({ operations: refused, watches: [], changes }).map(({ kind }) => kind);
    expect(kinds).toEqual(['phantom-write']);
  });

  test('an update of another version than it named', () => {
    const other = writes.map((write) =>
      write.action.verb === 'update' ? { ...write, action: { ...write.action, expected: 1 } } : write,
    );
    const kinds = checkRun({ operations: other, watches: [], changes }).map(({ kind }) => kind);
    expect(kinds).toEqual(['broken-precondition']);
  });

  test('what one client has seen, every other client sees', () => {
    const first = operation([32, 33], listAll, listed(4, [a3, b4]));
    const second = operation([34, 35], listAll, listed(3, [a3]));
    expect(kindsOf({ operations: [first, second] })).toEqual(['stale-read']);
  });

  test('reads at any version do not go back on one server', () => {
    const first = operation([32, 33], get('any'), object(a3));
    const second = operation([34, 35], get('any'), object(a2));
    expect(kindsOf({ operations: [first, second] })).toEqual(['backwards-read']);
    expect(kindsOf({ operations: [first, { ...second, server: 'server.2' }] })).toEqual([]);
  });

  test('a write with an earlier revision', () => {
    const seen = operation([12, 13], { ...listAll, freshness: { kind: 'any' } }, listed(3, [a3]));
    expect(kindsOf({ operations: [seen] })).toContain('write-order');
  });
});

function added(state: ObjectState): ReceivedEvent {
  return { type: 'ADDED', receivedMs: 100, object: state };
}

function modified(state: ObjectState): ReceivedEvent {
  return { type: 'MODIFIED', receivedMs: 100, object: state };
}

function deleted(state: ObjectState, revision: number): ReceivedEvent {
  return { type: 'DELETED', receivedMs: 100, object: { ...state, revision } };
}

function bookmark(revision: number, endsInitialEvents = false): ReceivedEvent {
  return { type: 'BOOKMARK', receivedMs: 100, revision, endsInitialEvents };
}

const after = (revision: number): WatchStart => ({ kind: 'after', revision });
const fromState: WatchStart = { kind: 'state', freshness: { kind: 'any' }, bookmark: true };

function session(start: WatchStart, events: readonly ReceivedEvent[], other: Partial<WatchSession> = {}): WatchSession {
  const common = {
    client: 'watcher',
    server: 'server.1',
    openedMs: 90,
    selection: {},
    ending: 'ended',
    detail: '',
  } as const;
  return { ...common, start, events, ...other };
}

describe('watches', () => {
  test.for<readonly [string, WatchSession, readonly string[]]>([
    ['follows', session(after(2), [modified(a3), added(b4), deleted(a3, 5), added(a6)]), []],
    ['is cut off', session(after(2), [modified(a3)]), []],
    ['leaves one out', session(after(2), [modified(a3), deleted(a3, 5)]), ['watch-gap']],
    ['swaps two', session(after(2), [added(b4), modified(a3)]), ['watch-order']],
    ['repeats one', session(after(2), [modified(a3), modified(a3)]), ['watch-duplicate']],
    ['tells what was before', session(after(3), [modified(a3)]), ['watch-duplicate']],
    ['tells of another type', session(after(2), [added(a3)]), ['watch-content']],
    ['tells of the future', session(after(6), [added({ ...a6, revision: 9 })]), ['watch-content']],
    ['has bookmarks', session(after(2), [modified(a3), bookmark(3), added(b4), bookmark(4)]), []],
    ['has a bookmark too early', session(after(2), [modified(a3), bookmark(4), added(b4)]), ['lying-bookmark']],
    ['has a bookmark that goes back', session(after(2), [modified(a3), bookmark(2)]), ['lying-bookmark']],
    ['selects', session(after(1), [added(a2), deleted(a2, 3), added(b4)], { selection: { side: 'left' } }), []],
    [
      'does not tell who leaves',
      session(after(1), [added(a2), added(b4)], { selection: { side: 'left' } }),
      ['watch-gap'],
    ],
    ['of one name', session(after(1), [added(b4)], { selection: { name: 'b' } }), []],
    ['begins with a state', session(fromState, [added(a3), added(b4), bookmark(4, true), deleted(a3, 5)]), []],
    ['begins with half a state', session(fromState, [added(b4), bookmark(4, true)]), ['inconsistent-list']],
    ['ends in the state', session(fromState, [added(a3)]), []],
    ['begins and is not told where', session({ ...fromState, bookmark: false }, [added(b4), added(a6)]), []],
    ['begins nowhere', session({ ...fromState, bookmark: false }, [added(a2), added(b4)]), ['watch-gap']],
    [
      'begins too early',
      session({ kind: 'state', freshness: { kind: 'latest' }, bookmark: true }, [
        added(a3),
        added(b4),
        bookmark(4, true),
      ]),
      ['stale-read'],
    ],
    ['stalls', session(after(2), [], { ending: 'stalled' }), ['watch-stalled']],
    ['is told that it came too late', session(after(2), [], { ending: 'expired' }), []],
    ['has no state', session(fromState, [], { ending: 'expired' }), ['unexpected-answer']],
  ])('%s', ([, one, kinds]) => {
    expect(kindsOf({ watches: [one] })).toEqual(kinds);
  });
});
