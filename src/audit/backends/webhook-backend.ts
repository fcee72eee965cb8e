import type { ReviewWebhook } from '../../outgoing/webhooks/review-webhook.ts';
import { withRetries } from '../../outgoing/retries.ts';
import { eventList } from '../event-forms.ts';
import type { AuditBackend } from './backend.ts';
import type { EventFailure } from './failures.ts';

/** Sends events to another server, some times if need be. */
export function webhookBackend(
  webhook: Pick<ReviewWebhook, 'send'>,
  { initialBackoffMs, failed }: { readonly initialBackoffMs: number; readonly failed: EventFailure },
): AuditBackend {
  const backoff = { firstDelayMs: initialBackoffMs, factor: 1.5, jitter: 0.2, attempts: 5 };
  return {
    async process(events) {
      const body = eventList(events);
      try {
        // Hardly any failure justifies losing events.
        await withRetries(() => webhook.send(body), { ...backoff, isWorthIt: () => true });
        return true;
      } catch (error) {
        failed('webhook', error, events);
        return false;
      }
    },
    close: () => Promise.resolve(),
  };
}
