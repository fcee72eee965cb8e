import type {
  ChangesResponse,
  ChangesRequest,
  EarlierResponse,
  EarlierRequest,
  LogFailure,
  LogRow,
  UpkeepState,
} from './protocol.ts';

/** Where an engine keeps its revisions. All calls reject with a LogError. */
export interface RevisionLog {
  /** Undefined while calls are answered. */
  readonly ended: LogError | undefined;
  /** Writes all rows or none; resolves when they are durable. */
  append(rows: readonly LogRow[]): Promise<void>;
  changes(request: Omit<ChangesRequest, 'type'>): Promise<ChangesResponse>;
  earlier(request: Omit<EarlierRequest, 'type'>): Promise<EarlierResponse>;
  compact(revision: number): Promise<void>;
  /** Starts to return all free space, in slices. */
  defragment(): Promise<{ readonly surplusBytes: number }>;
  /** Resolves when the next slice of compaction or defragmentation is done. */
  slice(): Promise<UpkeepState>;
  /** Closes the log after all earlier requests. */
  close(): Promise<void>;
}

export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogFailure['code'];

  constructor(failure: LogFailure) {
    super(failure.message);
    this.code = failure.code;
  }
}
