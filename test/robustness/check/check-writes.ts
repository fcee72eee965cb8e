import type { Action, Operation, RecordedRun, WriteAction } from '../recorded.ts';
import { type Change, type RevisionHistory, sameObject, showObject } from './revision-history.ts';
import { showOperation } from './show.ts';
import type { Violation, ViolationKind } from './violation.ts';

export type WriteOperation = Operation & { readonly action: WriteAction };

export function isWrite(operation: Operation): operation is WriteOperation {
  return isWriteAction(operation.action);
}

function isWriteAction(action: Action): action is WriteAction {
  return action.verb !== 'get' && action.verb !== 'list';
}

/**
 * Every acknowledged write is in the history as acknowledged, and every change in the history was requested, applied
 * once, and as requested.
 */
export function checkWrites(run: RecordedRun, history: RevisionHistory): Violation[] {
  const writes = run.operations.filter(isWrite);
  return [
    ...writes.flatMap((write) => checkAcknowledged(write, history)),
    ...checkChanges(writes, history),
    ...checkDeletions(writes, history),
  ];
}

function checkAcknowledged(write: WriteOperation, history: RevisionHistory): Violation[] {
  const { outcome } = write;
  if (outcome.kind !== 'object') return [];
  const found = history.changeAt(outcome.object.revision);
  if (found !== undefined && sameObject(found.now, outcome.object)) return [];
  return [violation('lost-write', write, `the history has ${showChange(found)} at ${outcome.object.revision}`)];
}

/** Puts are identified by their mark. */
function checkChanges(writes: readonly WriteOperation[], history: RevisionHistory): Violation[] {
  const attempted = new Map(writes.flatMap((write) => ('write' in write.action ? [[write.action.write, write]] : [])));
  const done = new Set<string>();
  const uids = new Set<string>();
  const found: Violation[] = [];
  for (const change of history.changes) {
    const { now } = change;
    if (now === undefined) continue;
    const write = attempted.get(now.write);
    if (write === undefined) {
      found.push({ kind: 'phantom-write', detail: `nobody asked for ${showChange(change)}` });
      continue;
    }
    if (done.has(now.write)) found.push(violation('phantom-write', write, `done again: ${showChange(change)}`));
    if (wasRefused(write)) found.push(violation('phantom-write', write, `refused, yet done: ${showChange(change)}`));
    const fault = preconditionFault(write.action, change, uids);
    if (fault !== undefined) found.push(violation('broken-precondition', write, `${fault}: ${showChange(change)}`));
    done.add(now.write);
    uids.add(now.uid);
  }
  return found;
}

function wasRefused({ outcome }: WriteOperation): boolean {
  return outcome.kind === 'absent' || outcome.kind === 'exists' || outcome.kind === 'conflict';
}

function preconditionFault(
  action: WriteAction,
  { before, now }: Change,
  earlierUids: ReadonlySet<string>,
): string | undefined {
  if (now === undefined) return undefined;
  if (action.verb === 'delete' || action.name !== now.name) return 'another object was written';
  if (action.verb === 'create') {
    if (before !== undefined) return 'created over another object';
    return earlierUids.has(now.uid) ? 'a new object with the uid of an old one' : undefined;
  }
  if (before === undefined) return 'written over nothing';
  if (before.uid !== now.uid) return 'the uid changed';
  if ('expected' in action && action.expected !== undefined && action.expected !== before.revision) {
    return `written over ${showObject(before)}, not over version ${action.expected}`;
  }
  const base = action.verb === 'patch' ? before.base : action.write;
  return now.base === base ? undefined : `its base is not ${base}`;
}

/**
 * Deletions have no mark: an acknowledged one is identified by the uid of its object; each other one must be explained
 * by one request with an unknown outcome.
 */
function checkDeletions(writes: readonly WriteOperation[], history: RevisionHistory): Violation[] {
  const found: Violation[] = [];
  const deletions = new Map(
    history.changes.flatMap((change) => (change.now === undefined ? [[uidOf(change), change]] : [])),
  );
  const unexplained = new Set(deletions.values());
  for (const write of writes) {
    if (write.outcome.kind !== 'deleted') continue;
    const change = deletions.get(write.outcome.uid);
    if (change === undefined) {
      found.push(violation('lost-write', write, `the history has no deletion of ${write.outcome.uid}`));
    } else if (!unexplained.delete(change)) {
      found.push(violation('phantom-write', write, 'this object was deleted by another request'));
    } else if (!couldDelete(write.action, change)) {
      found.push(violation('broken-precondition', write, `deleted ${showObject(change.before)}`));
    }
  }
  for (const write of mostSpecificFirst(writes.filter(({ outcome }) => outcome.kind === 'unknown'))) {
    const change = [...unexplained].find((candidate) => couldDelete(write.action, candidate));
    if (change !== undefined) unexplained.delete(change);
  }
  for (const change of unexplained) {
    found.push({ kind: 'phantom-write', detail: `nobody asked for ${showChange(change)}` });
  }
  return found;
}

/** Requests that can explain only one deletion come before those that can explain several. */
function mostSpecificFirst(writes: readonly WriteOperation[]): readonly WriteOperation[] {
  const isFree = ({ action }: WriteOperation): number =>
    action.verb === 'delete' && action.uid === undefined && action.expected === undefined ? 1 : 0;
  return [...writes].sort((a, b) => isFree(a) - isFree(b));
}

function couldDelete(action: WriteAction, { name, before }: Change): boolean {
  if (action.verb !== 'delete' || action.name !== name) return false;
  const { uid, expected } = action;
  return (uid === undefined || uid === before?.uid) && (expected === undefined || expected === before?.revision);
}

function uidOf({ before, revision }: Change): string {
  return before?.uid ?? `none at ${revision}`;
}

function showChange(change: Change | undefined): string {
  if (change === undefined) return 'no change';
  const { name, revision, now } = change;
  return now === undefined ? `the deletion of ${name} at ${revision}` : showObject(now);
}

function violation(kind: ViolationKind, write: WriteOperation, detail: string): Violation {
  return { kind, detail: `${showOperation(write)}: ${detail}` };
}
