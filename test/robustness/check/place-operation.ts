import type { Freshness, ObjectState, Operation, Outcome, WriteAction } from '../recorded.ts';
import { type RevisionHistory, sameObject, type Span } from './revision-history.ts';
import type { ViolationKind } from './violation.ts';

export interface Bounds {
  /** See `Known` of check-order.ts. */
  readonly anywhere: number;
  readonly onServer: number;
  /** Writes that began after the operation ended have this revision or later ones. */
  readonly before: number;
  readonly lastedMs: number;
}

/** Servers wait about three seconds for a future version; clients only request versions that some client has seen. */
const versionWaitMs = 2900;

/** What is known once the operation has ended, or why no revision fits. */
export type Placement =
  | { readonly anywhere: number; readonly onServer: number }
  | { readonly fault: ViolationKind; readonly detail: string };

const nothing: Placement = { anywhere: 0, onServer: 0 };

/** Finds the earliest revision at which the operation could have happened. */
export function placeOperation(operation: Operation, history: RevisionHistory, bounds: Bounds): Placement {
  const { action, outcome } = operation;
  if (outcome.kind === 'unexpected') return { fault: 'unexpected-answer', detail: 'no request may get this' };
  switch (action.verb) {
    case 'get':
      return placeGet(action, outcome, history, bounds);
    case 'list':
      return placeList(action.freshness, outcome, bounds);
    default:
      return placeWrite(action, outcome, history, bounds);
  }
}

function placeWrite(action: WriteAction, outcome: Outcome, history: RevisionHistory, bounds: Bounds): Placement {
  switch (outcome.kind) {
    case 'object':
    case 'deleted':
    case 'unknown': {
      const revision = revisionOfWrite(action, outcome, history);
      return revision === undefined ? nothing : placeChange(revision, bounds);
    }
    case 'absent':
      return placeRefusal(action.name, history, bounds, (object) => object === undefined);
    case 'exists':
      return placeRefusal(action.name, history, bounds, (object) => object !== undefined);
    case 'conflict':
      if (action.verb === 'create') return { fault: 'unexpected-answer', detail: 'no creation may get this' };
      return isConditional(action)
        ? placeRefusal(action.name, history, bounds, (object) => object !== undefined && conflicts(action, object))
        : nothing;
    default:
      return { fault: 'unexpected-answer', detail: 'no write may get this' };
  }
}

/** The revision of a write in the history; undefined if it was not applied or, for a deletion, if that is unknown. */
export function revisionOfWrite(action: WriteAction, outcome: Outcome, history: RevisionHistory): number | undefined {
  if (outcome.kind === 'object') return outcome.object.revision;
  if (outcome.kind === 'deleted') return history.deletionOf(outcome.uid)?.revision;
  return outcome.kind === 'unknown' && action.verb !== 'delete'
    ? history.changeOfWrite(action.write)?.revision
    : undefined;
}

function placeChange(revision: number, { anywhere }: Bounds): Placement {
  if (revision > anywhere) return { anywhere: revision, onServer: 0 };
  return { fault: 'write-order', detail: `revision ${revision}, but ${anywhere} had been seen before` };
}

function isConditional(action: WriteAction): boolean {
  if (action.verb === 'create') return false;
  return action.expected !== undefined || (action.verb === 'delete' && action.uid !== undefined);
}

function conflicts(action: WriteAction, object: ObjectState): boolean {
  if (action.verb === 'create') return false;
  if (action.expected !== undefined && action.expected !== object.revision) return true;
  return action.verb === 'delete' && action.uid !== undefined && action.uid !== object.uid;
}

function placeRefusal(
  name: string,
  history: RevisionHistory,
  bounds: Bounds,
  holds: (object: ObjectState | undefined) => boolean,
): Placement {
  const revision = earliest(history.spans(name), bounds.anywhere, holds);
  if (revision < bounds.before) return { anywhere: revision, onServer: 0 };
  return { fault: 'wrong-refusal', detail: `not so at ${bounds.anywhere} nor later` };
}

function placeGet(
  { name, freshness }: { readonly name: string; readonly freshness: Freshness },
  outcome: Outcome,
  history: RevisionHistory,
  bounds: Bounds,
): Placement {
  if (outcome.kind !== 'object' && outcome.kind !== 'absent') return placeNoRead(freshness, outcome, bounds);
  const seen = outcome.kind === 'object' ? outcome.object : undefined;
  const spans = history.spans(name);
  const shows = (object: ObjectState | undefined): boolean => sameObject(object, seen);
  if (earliest(spans, 0, shows) === Number.POSITIVE_INFINITY) {
    return { fault: 'impossible-read', detail: 'the history never had this' };
  }
  if (freshness.kind === 'latest') {
    const revision = earliest(spans, bounds.anywhere, shows);
    if (revision < bounds.before) return { anywhere: revision, onServer: 0 };
    return { fault: 'stale-read', detail: `not the state at ${bounds.anywhere} nor later` };
  }
  const requested = 'revision' in freshness ? freshness.revision : 0;
  const revision = earliest(spans, Math.max(requested, bounds.onServer), shows);
  if (revision < bounds.before) return { anywhere: seen?.revision ?? 0, onServer: revision };
  if (earliest(spans, requested, shows) >= bounds.before) {
    return { fault: 'wrong-version', detail: `not the state at ${requested} nor later` };
  }
  return { fault: 'backwards-read', detail: `this server had shown ${bounds.onServer}` };
}

function placeList(freshness: Freshness, outcome: Outcome, bounds: Bounds): Placement {
  const { anywhere, onServer } = bounds;
  if (outcome.kind !== 'list') return placeNoRead(freshness, outcome, bounds);
  const { revision } = outcome;
  switch (freshness.kind) {
    case 'latest':
      if (revision >= anywhere) return { anywhere: revision, onServer: 0 };
      return { fault: 'stale-read', detail: `${anywhere} had been seen before` };
    case 'exact':
      if (revision === freshness.revision) return { anywhere: revision, onServer: 0 };
      return { fault: 'wrong-version', detail: `asked for ${freshness.revision}` };
    default: {
      const requested = 'revision' in freshness ? freshness.revision : 0;
      if (revision < requested) return { fault: 'wrong-version', detail: `asked for ${requested} or later` };
      if (revision >= onServer) return { anywhere: revision, onServer: revision };
      return { fault: 'backwards-read', detail: `this server had shown ${onServer}` };
    }
  }
}

/**
 * Only a request for a specific version may be refused for it, and only if the version is compacted or has not been
 * reached.
 */
function placeNoRead(freshness: Freshness, outcome: Outcome, { lastedMs }: Bounds): Placement {
  if (outcome.kind === 'unknown') return nothing;
  const versioned = freshness.kind === 'exact' || freshness.kind === 'notOlderThan';
  if (outcome.kind === 'future' && versioned) {
    if (lastedMs >= versionWaitMs) return nothing;
    return { fault: 'wrong-refusal', detail: `a version that had been seen was waited for ${lastedMs.toFixed(0)} ms` };
  }
  if (outcome.kind === 'expired' && freshness.kind === 'exact') return nothing;
  return { fault: 'unexpected-answer', detail: 'no such read may get this' };
}

/** The first revision from `floor` on at which the state of the name satisfies `holds`; infinite if there is none. */
function earliest(spans: readonly Span[], floor: number, holds: (object: ObjectState | undefined) => boolean): number {
  const span = spans.find(({ until, object }) => until > floor && holds(object));
  return span === undefined ? Number.POSITIVE_INFINITY : Math.max(span.from, floor);
}
