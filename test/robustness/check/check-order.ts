import type { Operation, RecordedRun, WatchSession } from '../recorded.ts';
import { isWrite } from './check-writes.ts';
import type { RevisionHistory } from './revision-history.ts';
import { placeOperation, revisionOfWrite } from './place-operation.ts';
import { showOperation } from './show.ts';
import type { Violation } from './violation.ts';

/** What was known when an operation began. */
export interface Known {
  /** The latest revision seen by any client. */
  readonly anywhere: number;
  /** The latest revision returned by the same server to reads at any version and watches. */
  readonly onServer: number;
}

export interface OrderResult {
  readonly violations: readonly Violation[];
  readonly knownAtStart: ReadonlyMap<WatchSession, Known>;
}

/**
 * Linearizability, simplified by revisions: the order of writes is known, so it remains to place every other operation
 * at a revision that matches its result and is not before that of any operation that ended before it began. Operations
 * are placed in the order in which they began, each as early as possible: if that fails, no placement exists.
 *
 *     time      ----------------------------------------------------->
 *     client 1  | put: 7 |            | get |   7 is known: must see 7 or later
 *     client 2      | list: 6 |                 began before 7 was known: fine
 *     client 3              | list, any: 5 |    asked for any version: fine
 */
export function checkOrder(run: RecordedRun, history: RevisionHistory): OrderResult {
  const violations: Violation[] = [];
  const knownAtStart = new Map<WatchSession, Known>();
  const ceilings = ceilingsOf(run.operations, history);
  const onServers = new Map<string, number>();
  let anywhere = 0;
  const knownOn = (server: string): Known => ({ anywhere, onServer: onServers.get(server) ?? 0 });
  const learn = (server: string, learnt: { readonly anywhere: number; readonly onServer: number }): void => {
    anywhere = Math.max(anywhere, learnt.anywhere);
    onServers.set(server, Math.max(onServers.get(server) ?? 0, learnt.onServer));
  };
  const moments: Moment[] = [
    ...run.operations.flatMap((operation) => {
      let learnt: Known | undefined;
      return [
        {
          atMs: operation.invokedMs,
          begins: true,
          happen: () => {
            const before = ceilings(operation.returnedMs);
            const lastedMs = operation.returnedMs - operation.invokedMs;
            const bounds = { ...knownOn(operation.server), before, lastedMs };
            const placed = placeOperation(operation, history, bounds);
            if ('fault' in placed) {
              violations.push({ kind: placed.fault, detail: `${showOperation(operation)}: ${placed.detail}` });
            } else learnt = placed;
          },
        },
        // An operation that never returned gave no information.
        {
          atMs: operation.returnedMs,
          begins: false,
          happen: () => {
            if (learnt !== undefined && operation.outcome.kind !== 'unknown') learn(operation.server, learnt);
          },
        },
      ];
    }),
    ...run.watches.flatMap((session) => [
      { atMs: session.openedMs, begins: true, happen: () => knownAtStart.set(session, knownOn(session.server)) },
      ...session.events.map((event) => ({
        atMs: event.receivedMs,
        begins: false,
        happen: () => {
          const revision = event.type === 'BOOKMARK' ? event.revision : event.object.revision;
          learn(session.server, { anywhere: revision, onServer: revision });
        },
      })),
    ]),
  ];
  for (const { happen } of moments.sort(byTime)) happen();
  return { violations, knownAtStart };
}

interface Moment {
  readonly atMs: number;
  readonly begins: boolean;
  readonly happen: () => void;
}

/** Operations that begin as another ends are concurrent with it. */
function byTime(a: Moment, b: Moment): number {
  return a.atMs === b.atMs ? Number(b.begins) - Number(a.begins) : a.atMs - b.atMs;
}

/** Returns, for a time, the lowest revision of the writes that began after it. */
function ceilingsOf(operations: readonly Operation[], history: RevisionHistory): (returnedMs: number) => number {
  const writes = operations.filter(isWrite).flatMap(({ action, outcome, invokedMs }) => {
    const revision = revisionOfWrite(action, outcome, history);
    return revision === undefined ? [] : [{ invokedMs, revision }];
  });
  writes.sort((a, b) => b.invokedMs - a.invokedMs);
  let lowest = Number.POSITIVE_INFINITY;
  const steps = writes.map(({ invokedMs, revision }) => {
    lowest = Math.min(lowest, revision);
    return { invokedMs, lowest };
  });
  return (returnedMs) => {
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((steps[middle]?.invokedMs ?? 0) > returnedMs) low = middle + 1;
      else high = middle;
    }
    return steps[low - 1]?.lowest ?? Number.POSITIVE_INFINITY;
  };
}
