/**
 * | kind | what was seen |
 * |---|---|
 * | lost-write | an acknowledged write is not in the store's history, or not as acknowledged |
 * | phantom-write | the history holds a change that nobody asked for, that was refused, or that was done twice |
 * | broken-precondition | a write was done over another state than the one it named, or undid one that it did not see |
 * | write-order | a write got a revision that others had seen before it was asked for |
 * | wrong-refusal | a write was refused for a reason that never held while it was under way, or a version that had been seen was called one of the future at once |
 * | impossible-read | an object or a revision that the store never had |
 * | stale-read | a consistent read that misses what was known before it began |
 * | backwards-read | a read of any version older than what the same server had shown before |
 * | wrong-version | a read at another version than asked for |
 * | inconsistent-list | items that are not the state at the list's version |
 * | watch-gap | an event is missing |
 * | watch-order | an event came after a later one |
 * | watch-duplicate | an event came twice |
 * | watch-content | an event of another type or with another object than the change it tells of |
 * | lying-bookmark | a bookmark told of a version whose events had not all come, or went back |
 * | watch-stalled | events that must have come did not |
 * | stuck | nothing could be written although all faults were over |
 * | server-died | a server ended although nobody asked it to |
 * | unexpected-answer | an answer that no request of the run may get |
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
  /** What exactly, with the request or the watch that it was seen in. */
  readonly detail: string;
}
