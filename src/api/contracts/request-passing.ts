import type { HookResults, PassedResponse } from './hook-results.ts';

/** How a request that turns out to be large is served by another thread, as long as it has written nothing. */
export interface RequestPassing {
  readonly hookResponses: HookResults;
  isLarge(sizeBytes: number): boolean;
  /** Rejects with `PassedOn` if another thread takes the request because of something of this size. */
  ifLarge(sizeBytes: number): Promise<void>;
}

/** What goes with a request that one thread has begun and another one serves from its beginning. */
export interface BegunRequest {
  readonly auditId: string;
  /** When the request was received, in milliseconds since the epoch. */
  readonly receivedMs: number;
  /** The uid of the object that it creates; undefined: none has been chosen. */
  readonly objectUid: string | undefined;
  readonly hookResponses: readonly PassedResponse[];
}

/** Thrown to end a request on this thread, as another one serves it. */
export class PassedOn extends Error {
  override readonly name: string = 'PassedOn';
  readonly code = 'passed-on';
}
