import type { AuditSink } from '../../api/audit.ts';
import type { Exposition } from '../metrics/exposition.ts';
import type { ExpositionFormat } from '../metrics/exposition-format.ts';
import type { OtherMetrics } from '../metrics/request-metrics.ts';

/** What a thread has in common with the others of its process; a thread that is the only one has none of it. */
export interface SharedParts {
  /** For the first thread. */
  readonly otherMetrics?: OtherMetrics | undefined;
  /** The metrics of the process, for the other threads. */
  readonly exposeMetrics?: ((format: ExpositionFormat) => Promise<Exposition>) | undefined;
  /** The audit backends of the process, for the other threads. */
  readonly auditSink?: (AuditSink & { close(): Promise<void> }) | undefined;
}
