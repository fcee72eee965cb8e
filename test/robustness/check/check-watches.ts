import type { Freshness, ReceivedEvent, RecordedRun, WatchSelection, WatchSession } from '../recorded.ts';
import type { Known } from './check-order.ts';
import { eventOf, isSelected, type RevisionHistory, sameObject, showObject } from './revision-history.ts';
import { showSession } from './show.ts';
import type { Violation, ViolationKind } from './violation.ts';

interface Fault {
  readonly kind: ViolationKind;
  readonly detail: string;
  /** Number of correct events. */
  readonly right: number;
}

/**
 * Each watch is a gapless, ordered, duplicate-free part of the history from its start; bookmarks report how far it has
 * come.
 */
export function checkWatches(
  run: RecordedRun,
  history: RevisionHistory,
  knownAtStart: ReadonlyMap<WatchSession, Known>,
): Violation[] {
  return run.watches.flatMap((session) => {
    const known = knownAtStart.get(session) ?? { anywhere: 0, onServer: 0 };
    const fault = endingFault(session) ?? eventsFault(session, history, known);
    return fault === undefined ? [] : [{ kind: fault.kind, detail: `${showSession(session)}: ${fault.detail}` }];
  });
}

function endingFault({ ending, detail, start, events }: WatchSession): Fault | undefined {
  if (ending === 'unexpected' || (ending === 'expired' && start.kind === 'state')) {
    return { kind: 'unexpected-answer', detail, right: events.length };
  }
  return ending === 'stalled' ? { kind: 'watch-stalled', detail, right: events.length } : undefined;
}

function eventsFault(session: WatchSession, history: RevisionHistory, known: Known): Fault | undefined {
  const { start, events, selection } = session;
  if (start.kind === 'after') return followFault(history, { selection, from: start.revision, events, skipped: 0 });
  const floor = floorOf(start.freshness, known);
  const end = events.findIndex((event) => event.type === 'BOOKMARK' && event.endsInitialEvents);
  const bookmark = events[end];
  if (start.bookmark && bookmark?.type === 'BOOKMARK') {
    if (bookmark.revision < floor) {
      return { kind: 'stale-read', detail: `began at ${bookmark.revision}, but ${floor} was known`, right: 0 };
    }
    const fault = stateFault(history, {
      selection,
      revision: bookmark.revision,
      events: events.slice(0, end),
      whole: true,
    });
    const rest = { selection, from: bookmark.revision, events: events.slice(end + 1), skipped: end + 1 };
    return fault ?? followFault(history, rest);
  }
  return unmarkedStateFault(session, history, floor);
}

function floorOf(freshness: Freshness, { anywhere, onServer }: Known): number {
  if ('revision' in freshness) return freshness.revision;
  return freshness.kind === 'latest' ? anywhere : onServer;
}

/**
 * The end of the initial state is not marked: some revision must explain all events. Reports the fault of the best
 * candidate.
 */
function unmarkedStateFault(
  { selection, events }: WatchSession,
  history: RevisionHistory,
  floor: number,
): Fault | undefined {
  let best: Fault | undefined;
  for (const revision of [floor, ...revisionsOfSelection(history, selection, floor)]) {
    const size = history.stateAt(revision).filter((object) => isSelected(selection, object)).length;
    const fault =
      stateFault(history, { selection, revision, events: events.slice(0, size), whole: events.length >= size }) ??
      followFault(history, { selection, from: revision, events: events.slice(size), skipped: size });
    if (fault === undefined) return undefined;
    if (best === undefined || fault.right > best.right) best = fault;
  }
  return best;
}

/** Revisions after `floor` at which the selected objects changed. */
function* revisionsOfSelection(history: RevisionHistory, selection: WatchSelection, floor: number): Generator<number> {
  for (let index = history.indexAfter(floor); index < history.changes.length; index += 1) {
    const change = history.changes[index];
    if (change !== undefined && eventOf(change, selection) !== undefined) yield change.revision;
  }
}

interface StateEvents {
  readonly selection: WatchSelection;
  readonly revision: number;
  readonly events: readonly ReceivedEvent[];
  /** False: the watch was cut off before the initial state was complete. */
  readonly whole: boolean;
}

function stateFault(history: RevisionHistory, { selection, revision, events, whole }: StateEvents): Fault | undefined {
  const state = history.stateAt(revision).filter((object) => isSelected(selection, object));
  const at = events.findIndex((event, index) => event.type !== 'ADDED' || !sameObject(event.object, state[index]));
  if (at === -1 && (!whole || events.length === state.length)) return undefined;
  const shown = events.map((event) =>
    event.type === 'BOOKMARK' ? 'a bookmark' : `${event.type} ${showObject(event.object)}`,
  );
  return {
    kind: 'inconsistent-list',
    detail: `began with ${shown.join(', ')}; the state at ${revision} is ${state.map(showObject).join(', ')}`,
    right: at === -1 ? events.length : at,
  };
}

interface FollowedEvents {
  readonly selection: WatchSelection;
  readonly from: number;
  readonly events: readonly ReceivedEvent[];
  /** Number of preceding events, for the count. */
  readonly skipped: number;
}

/** Compares events with the changes after `from`. */
function followFault(
  history: RevisionHistory,
  { selection, from, events, skipped }: FollowedEvents,
): Fault | undefined {
  let cursor = history.indexAfter(from);
  let position = from;
  const next = (limit: number): ReturnType<typeof eventOf> => {
    for (; cursor < history.changes.length; cursor += 1) {
      const change = history.changes[cursor];
      if (change === undefined || change.revision > limit) return undefined;
      const expected = eventOf(change, selection);
      if (expected !== undefined) return expected;
    }
    return undefined;
  };
  for (const [index, event] of events.entries()) {
    const fault = (kind: ViolationKind, detail: string): Fault => ({ kind, detail, right: skipped + index });
    if (event.type === 'BOOKMARK') {
      const missed = next(event.revision);
      if (missed !== undefined) {
        return fault(
          'lying-bookmark',
          `${event.revision}, but ${missed.type} ${showObject(missed.object)} had not come`,
        );
      }
      if (event.revision < position) return fault('lying-bookmark', `${event.revision} after ${position}`);
      position = event.revision;
      continue;
    }
    const expected = next(Number.POSITIVE_INFINITY);
    if (expected?.type !== event.type || !sameObject(event.object, expected.object)) {
      const later = events.slice(index + 1).some((other) => revisionOf(other) === expected?.object.revision);
      const kind = faultOf(event.object.revision, { position, expected: expected?.object.revision, later });
      const wanted = expected === undefined ? 'nothing' : `${expected.type} ${showObject(expected.object)}`;
      return fault(kind, `${event.type} ${showObject(event.object)} instead of ${wanted}, ${position} being the last`);
    }
    position = event.object.revision;
    cursor += 1;
  }
  return undefined;
}

function revisionOf(event: ReceivedEvent): number | undefined {
  return event.type === 'BOOKMARK' ? undefined : event.object.revision;
}

function faultOf(
  revision: number,
  {
    position,
    expected,
    later,
  }: { readonly position: number; readonly expected: number | undefined; readonly later: boolean },
): ViolationKind {
  if (revision === position) return 'watch-duplicate';
  if (revision < position) return 'watch-order';
  if (expected === undefined || revision <= expected) return 'watch-content';
  return later ? 'watch-order' : 'watch-gap';
}
