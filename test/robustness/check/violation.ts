/**
 * | kind | observation |
 * |---|---|
 * | lost-write | an acknowledged write is not in the store's history, or not as acknowledged |
 * | phantom-write | the history has a change that was not requested, was refused, or was applied twice |
 * | broken-precondition | a write was applied to another state than it named, or undid a write that it had not seen |
 * | write-order | a write got a revision that was seen before the write was requested |
 * | wrong-refusal | a write was refused for a reason that never held while it was in progress, or a version that had been seen was called a future one at once |
 * | impossible-read | an object or a revision that never existed |
 * | stale-read | a consistent read that misses what was known before it began |
 * | backwards-read | a read at any version that is older than an earlier one from the same server |
 * | wrong-version | a read at another version than requested |
 * | inconsistent-list | items that do not match the state at the list's version |
 * | watch-gap | an event is missing |
 * | watch-order | an event arrived after a later one |
 * | watch-duplicate | an event arrived twice |
 * | watch-content | an event with another type or object than its change |
 * | lying-bookmark | a bookmark at a version whose events had not all arrived, or that went back |
 * | watch-stalled | due events did not arrive |
 * | stuck | no writes were possible after all faults had ended |
 * | server-died | a server exited on its own |
 * | unexpected-answer | a response that no request of the run may get |
 */
export type ViolationKind =
  | 'lost-write'
  | 'phantom-write'
  | 'broken-precondition'
  | 'write-order'
  | 'wrong-refusal'
  | 'impossible-read'
  | 'stale-read'
  | 'backwards-read'
  | 'wrong-version'
  | 'inconsistent-list'
  | 'watch-gap'
  | 'watch-order'
  | 'watch-duplicate'
  | 'watch-content'
  | 'lying-bookmark'
  | 'watch-stalled'
  | 'stuck'
  | 'server-died'
  | 'unexpected-answer';

export interface Violation {
  readonly kind: ViolationKind;
  /** Details, including the request or watch. */
  readonly detail: string;
}
