import type { ObjectState, Operation, RecordedRun } from '../recorded.ts';
import { isSelected, type RevisionHistory, sameObject, showObject } from './revision-history.ts';
import { showOperation } from './show.ts';
import type { Violation } from './violation.ts';

/** The items of every list and page must match the state at its version. */
export function checkLists(run: RecordedRun, history: RevisionHistory): Violation[] {
  return run.operations.flatMap((operation) => {
    const fault = listFault(operation, history);
    return fault === undefined ? [] : [{ kind: 'inconsistent-list', detail: `${showOperation(operation)}: ${fault}` }];
  });
}

function listFault({ action, outcome }: Operation, history: RevisionHistory): string | undefined {
  if (action.verb !== 'list' || outcome.kind !== 'list') return undefined;
  const { behind = '', side, limit } = action;
  const selection = side === undefined ? {} : { side };
  const rest = history
    .stateAt(outcome.revision)
    .filter((object) => object.name > behind && isSelected(selection, object));
  const wanted = limit === 0 ? rest : rest.slice(0, limit);
  if (!sameItems(outcome.items, wanted)) return `the state is ${wanted.map(showObject).join(', ')}`;
  // A full page may have a continuation even if nothing else matches.
  const more = rest.length > wanted.length;
  if (more !== outcome.more && (more || side === undefined)) return more ? 'there is more' : 'there is no more';
  const remaining = more && side === undefined ? rest.length - wanted.length : undefined;
  return remaining === outcome.remaining ? undefined : `${remaining} remain, not ${outcome.remaining}`;
}

function sameItems(a: readonly ObjectState[], b: readonly ObjectState[]): boolean {
  return a.length === b.length && a.every((object, index) => sameObject(object, b[index]));
}
