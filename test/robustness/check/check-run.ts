import type { RecordedRun } from '../recorded.ts';
import { checkLists } from './check-lists.ts';
import { checkOrder } from './check-order.ts';
import { checkWatches } from './check-watches.ts';
import { checkWrites } from './check-writes.ts';
import { RevisionHistory } from './revision-history.ts';
import type { Violation } from './violation.ts';

/** All violations in a run. */
export function checkRun(run: RecordedRun): readonly Violation[] {
  const history = new RevisionHistory(run.changes);
  const { violations, knownAtStart } = checkOrder(run, history);
  return [
    ...checkWrites(run, history),
    ...violations,
    ...checkLists(run, history),
    ...checkWatches(run, history, knownAtStart),
  ];
}
