import type { MessagePort } from 'node:worker_threads';
import type { Shedding } from '../../http/transport/share-of.ts';
import type { AuditEvent } from '../../api/contracts/audit.ts';
import type { LevelState } from '../../flowcontrol/dumps/level-state.ts';
import type { RememberedToken } from '../../authentication/shared-tokens.ts';
import type { SeatMemory } from '../../flowcontrol/shared-seats.ts';
import type { PlainError } from '../../storage/ports/plain-error.ts';
import type { StoreConnection } from '../../storage/ports/protocol.ts';
import type { ServerConfig } from '../config.ts';
import type { LogConnection } from '../logging/log-connection.ts';
import type { MetricSnapshot } from '../../metrics/metric-snapshot.ts';
import type { PortCalls } from './process-ports.ts';
import type { TurnCalls } from './process-turns.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** `api-1`, `lane-1` */
  readonly name: string;
  /** Whether it listens on the port; otherwise it serves what it takes from others. */
  readonly listens: boolean;
  readonly seats: SeatMemory;
  /** Its number among those that take seats. */
  readonly seatThread: number;
  /** The port is the one of the server. */
  readonly config: ServerConfig;
  /** The connection to the log of the process. */
  readonly log: LogConnection;
  /** The store, then those that single resources are kept in. */
  readonly stores: readonly StoreConnection[];
  /** For requests that the first thread serves; undefined: it gets none of those. */
  readonly exchanges: MessagePort | undefined;
  /** Whether others than the threads of the process may write to the store. */
  readonly storeIsShared: boolean;
  readonly wasCutOff: boolean;
  /** The verbosity of the log, which may have been changed since the start. */
  readonly verbosity: number;
  /** By which clients resume TLS sessions, whichever thread they began on. */
  readonly ticketKeys: Uint8Array;
  /** It says so when it has had nothing to do for this long; undefined: it does not. */
  readonly idleMs: number | undefined;
  /** Start hooks that the process has finished. */
  readonly finished: readonly string[];
}

/** What the process calls at a thread. */
export interface ThreadCalls {
  /** A start hook has finished. */
  finished(hook: string): void;
  /** The server is asked to stop. */
  leave(): void;
  /** The verbosity of the log has been changed. */
  setVerbosity(level: number): void;
  /** Another thread has begun to remember a token. */
  tokenKnown(token: RememberedToken): void;
  /** What it has counted. */
  metrics(): Promise<readonly MetricSnapshot[]>;
  /** What its flow control has. */
  flowLevels(withRequests: boolean): Promise<readonly LevelState[]>;
  /** Serves the requests that come through a port. */
  take(port: MessagePort): void;
  /** How many of those have not ended. */
  openExchanges(): number;
  /** There is a lane for its large requests. */
  addLane(lane: { readonly name: string; readonly port: MessagePort }): void;
  /** A lane takes no more requests; resolves once those that it has of this thread have ended. */
  leaveLane(name: string): Promise<void>;
  /** The lane that it wanted could not be started. */
  lanesFailed(): void;
  /** Tells the clients of a share of its connections to come again. */
  shed(shedding: Shedding): Promise<void>;
  /** Ends what clients are served, for whom other threads go on. */
  retire(): Promise<void>;
  /** Ends what clients are served; resolves when nothing of the thread is open any more. */
  end(): Promise<void>;
}

/** What a thread calls at the process. */
export interface ProcessCalls extends PortCalls, TurnCalls {
  /** The thread serves. */
  serves(): void;
  /** It has had nothing to do for a while. */
  idle(): void;
  /** Stores events; whether each of them is stored, or will be. */
  audit(events: readonly AuditEvent[]): Promise<readonly boolean[]>;
  /** It has begun to remember a token. */
  tokenKnown(token: RememberedToken): void;
  /** Something failed that nothing catches: the thread will end. */
  failed(error: PlainError): void;
  /** There are requests that take seats: they are to be divided by demand. */
  seatsWanted(): void;
  /** It has a large request, and no lane for it that is idle. */
  laneWanted(): void;
  /** It hands a request over to a lane that has had none of it. */
  laneUsed(name: string): void;
}
