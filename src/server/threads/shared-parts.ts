import type { ServiceRegistersOptions } from '../services/service-registers.ts';
import type { AuditSink } from '../../api/contracts/audit.ts';
import type { Turns } from '../../api/scheduling/turns.ts';
import type { SharedTokens } from '../../authentication/shared-tokens.ts';
import type { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import type { Lanes } from '../../http/request/lanes.ts';
import type { Exchange } from '../../http/transport/exchange.ts';
import type { OtherMetrics } from '../../metrics/request-metrics.ts';

/** What a thread has in common with the others of its process; a thread that is the only one has none of it. */
export interface SharedParts {
  /** What the thread is called outside. */
  readonly threadName?: string | undefined;
  /** For the first thread. */
  readonly otherMetrics?: (() => OtherMetrics | undefined) | undefined;
  /** The seats of the process, and what runs at once. */
  readonly sharing?: SeatSharing | undefined;
  /** What threads remember of tokens. */
  readonly tokens?: SharedTokens | undefined;
  /** The audit backends of the process, for the other threads. */
  readonly auditSink?: (AuditSink & { close(): Promise<void> }) | undefined;
  /** For the first thread: whether all the others serve requests. */
  readonly othersServe?: (() => boolean) | undefined;
  /** Called for each request that this thread is to serve. */
  readonly onRequest?: (() => void) | undefined;
  /** Called with the number of connections when it changes. */
  readonly connectionsChanged?: ((open: number) => void) | undefined;
  /** Whether other threads of the process may write to the store at the moment; absent: there are none. */
  readonly othersWrite?: (() => boolean) | undefined;
  /** In which the threads change what they would compete for. */
  readonly turns?: Turns | undefined;
  /** Has another thread serve an exchange that it is to serve; false: it is this one's. */
  readonly passOn?: ((exchange: Exchange) => boolean) | undefined;
  /** Serve large requests of threads that listen. */
  readonly lanes?: Lanes | undefined;
  /** The node ports of the process, for the other threads. */
  readonly ports?: ServiceRegistersOptions['processPorts'];
}
