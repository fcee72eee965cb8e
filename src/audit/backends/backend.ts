import type { AuditEvent } from '../../api/contracts/audit.ts';
import type { Soon } from '../../api/scheduling/soon.ts';

/** Stores events. */
export interface AuditBackend {
  /** Whether all of them are stored, or will be. Reports failures, and never throws. */
  process(events: readonly AuditEvent[]): Soon<boolean>;
  /** Resolves when everything taken so far is stored; called once, when no more comes. */
  close(): Promise<void>;
}
