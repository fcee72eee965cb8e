import type { ObjectState, StoredChange, WatchSelection } from '../recorded.ts';

export interface Change extends StoredChange {
  readonly before: ObjectState | undefined;
}

/** The state of a name (undefined: no object) at `from <= revision < until`. */
export interface Span {
  readonly from: number;
  readonly until: number;
  readonly object: ObjectState | undefined;
}

export interface ExpectedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ObjectState;
}

/** The model: the state of every name at every revision. */
export class RevisionHistory {
  readonly changes: readonly Change[];
  /** The state after each change, sorted by name. */
  readonly #states: readonly (readonly ObjectState[])[];
  readonly #spans: ReadonlyMap<string, readonly Span[]>;
  readonly #byRevision: ReadonlyMap<number, Change>;
  readonly #byWrite: ReadonlyMap<string, Change>;
  readonly #deletions: ReadonlyMap<string, Change>;

  constructor(stored: readonly StoredChange[]) {
    const changes: Change[] = [];
    const states: (readonly ObjectState[])[] = [];
    const current = new Map<string, ObjectState>();
    for (const change of stored) {
      changes.push({ ...change, before: current.get(change.name) });
      if (change.now === undefined) current.delete(change.name);
      else current.set(change.name, change.now);
      states.push([...current.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
    }
    this.changes = changes;
    this.#states = states;
    this.#spans = spansOf(changes);
    this.#byRevision = new Map(changes.map((change) => [change.revision, change]));
    this.#byWrite = new Map(
      changes.flatMap((change) => (change.now === undefined ? [] : [[change.now.write, change]])),
    );
    this.#deletions = new Map(
      changes.flatMap((change) =>
        change.now !== undefined || change.before === undefined ? [] : [[change.before.uid, change]],
      ),
    );
  }

  /** The change with this mark. */
  changeOfWrite(write: string): Change | undefined {
    return this.#byWrite.get(write);
  }

  deletionOf(uid: string): Change | undefined {
    return this.#deletions.get(uid);
  }

  changeAt(revision: number): Change | undefined {
    return this.#byRevision.get(revision);
  }

  stateAt(revision: number): readonly ObjectState[] {
    return this.#states[this.indexAfter(revision) - 1] ?? [];
  }

  spans(name: string): readonly Span[] {
    return this.#spans.get(name) ?? [{ from: 0, until: Number.POSITIVE_INFINITY, object: undefined }];
  }

  /** Index of the first change after `revision`. */
  indexAfter(revision: number): number {
    let low = 0;
    let high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function spansOf(changes: readonly Change[]): Map<string, Span[]> {
  const spans = new Map<string, Span[]>();
  for (const { name, revision, now } of changes) {
    const own = spans.get(name) ?? [{ from: 0, until: Number.POSITIVE_INFINITY, object: undefined }];
    const last = own.pop();
    if (last !== undefined) own.push({ ...last, until: revision });
    own.push({ from: revision, until: Number.POSITIVE_INFINITY, object: now });
    spans.set(name, own);
  }
  return spans;
}

export function isSelected({ name, side }: WatchSelection, object: ObjectState | undefined): boolean {
  if (object === undefined) return false;
  return (name === undefined || object.name === name) && (side === undefined || object.side === side);
}

/** The event that a watch with this selection gets for a change; undefined: none. */
export function eventOf({ before, now, revision }: Change, selection: WatchSelection): ExpectedEvent | undefined {
  const was = isSelected(selection, before);
  if (now !== undefined && isSelected(selection, now)) return { type: was ? 'MODIFIED' : 'ADDED', object: now };
  return was && before !== undefined ? { type: 'DELETED', object: { ...before, revision } } : undefined;
}

export function sameObject(a: ObjectState | undefined, b: ObjectState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.name === b.name &&
    a.revision === b.revision &&
    a.uid === b.uid &&
    a.base === b.base &&
    a.write === b.write &&
    a.side === b.side
  );
}

export function showObject(object: ObjectState | undefined): string {
  return object === undefined ? 'nothing' : `${object.name}@${object.revision} (${object.write} on ${object.base})`;
}
