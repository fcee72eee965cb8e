import type { WorkEstimate } from './queueing/queue.ts';
import type { EstimatedRequest } from './estimates/work-estimator.ts';

/** Where a request was put. */
export interface Classification {
  readonly schemaUid: string;
  readonly levelUid: string;
}

/** What a request has had of the seats, for logs. */
export interface SeatAccount {
  readonly flowSchema: string;
  readonly priorityLevel: string;
  readonly work: WorkEstimate;
  /** When it began, in milliseconds that only grow; undefined: it has not. */
  readonly startedMs: number | undefined;
  /** Undefined: it has not ended, or has not begun. */
  readonly executedMs: number | undefined;
}

/** A request that takes seats, waits for them, or has been refused. */
export interface SeatTicket {
  readonly classification: Classification;
  readonly account: SeatAccount;
  readonly state: 'executing' | 'waiting' | 'refused' | 'ended';
  /** For refused requests: seconds after which the client may come again. */
  readonly retryAfterSeconds: number;
  /** Calls it when a waiting request may execute. */
  onDispatch(run: () => void): void;
  /** The request no longer waits: its state is `refused` afterwards. */
  cancel(): void;
  /** The request has ended, or the beginning of a watch. Only the first call counts. */
  end(): void;
}

export interface SeatedRequest extends EstimatedRequest {
  /** `performance.now()` when it was received. */
  readonly arrivedMs: number;
}

/**
 * The seats of the process. Requests of all its threads take theirs here, so whoever asks knows nothing of where they
 * are kept.
 */
export interface Seats {
  begin(request: SeatedRequest): SeatTicket;
  /** A watch is running; returns a function to be called at its end. */
  watches(request: EstimatedRequest): () => void;
}
