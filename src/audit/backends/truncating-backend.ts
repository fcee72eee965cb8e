import { type AuditEvent, isAtLeast } from '../../api/contracts/audit.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { TruncateConfig } from '../audit-config.ts';
import { eventLine } from '../event-forms.ts';
import type { AuditBackend } from './backend.ts';
import type { EventFailure } from './failures.ts';

const truncatedKey = 'audit.k8s.io/truncated';

/** Takes the objects out of events that are too large, and passes on batches that are not. */
export function truncatingBackend(
  backend: AuditBackend,
  { maxEventBytes, maxBatchBytes }: TruncateConfig,
  failed: EventFailure,
): AuditBackend {
  return {
    process(events) {
      const batches: AuditEvent[][] = [];
      const tooLarge: AuditEvent[] = [];
      let batchBytes = 0;
      for (const event of events) {
        const fitting = fittingEvent(event, maxEventBytes);
        if (fitting === undefined) {
          tooLarge.push(event);
          continue;
        }
        const isFull = batchBytes + fitting.bytes > maxBatchBytes;
        const batch = isFull ? undefined : batches.at(-1);
        if (batch === undefined) batches.push([fitting.event]);
        else batch.push(fitting.event);
        batchBytes = (batch === undefined ? 0 : batchBytes) + fitting.bytes;
      }
      const results = batches.map((batch) => backend.process(batch));
      if (tooLarge.length > 0) failed('truncate', new Error('event is too large even after truncating'), tooLarge);
      return all(results);
    },
    close: () => backend.close(),
  };
}

function fittingEvent(
  event: AuditEvent,
  maxBytes: number,
): { readonly event: AuditEvent; readonly bytes: number } | undefined {
  const bytes = sizeOf(event);
  if (bytes <= maxBytes) return { event, bytes };
  if (!isAtLeast(event.level, 'Request')) return undefined;
  const annotations = new Map([...event.annotations, [truncatedKey, 'true']]);
  const shorter = { ...event, requestObject: undefined, responseObject: undefined, annotations };
  const shorterBytes = sizeOf(shorter);
  return shorterBytes <= maxBytes ? { event: shorter, bytes: shorterBytes } : undefined;
}

function sizeOf(event: AuditEvent): number {
  return eventLine(event).length;
}

/** Synchronous where all of them are. */
export function all(results: readonly Soon<boolean>[]): Soon<boolean> {
  if (!results.some((result) => result instanceof Promise)) return results.every((result) => result === true);
  return Promise.all(results.map(async (result) => result)).then((stored) => stored.every(Boolean));
}
