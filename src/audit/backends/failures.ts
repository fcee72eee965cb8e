import type { AuditEvent } from '../../api/contracts/audit.ts';
import type { AuditMetrics } from '../audit-metrics.ts';
import { eventText } from '../event-forms.ts';

/** Counts and reports events that a backend could not store. */
export type EventFailure = (plugin: string, error: unknown, events: readonly AuditEvent[]) => void;

const shownEvents = 10;

export function eventFailure(metrics: AuditMetrics, onError: (error: unknown) => void): EventFailure {
  return (plugin, error, events) => {
    metrics.failed(plugin, events.length);
    const shown = events.slice(0, shownEvents).map(eventText).join('\n');
    const reason = error instanceof Error ? error.message : String(error);
    const text = `the audit plugin '${plugin}' failed for ${events.length} events: ${reason}\n${shown}`;
    onError(new Error(text, { cause: error }));
  };
}
