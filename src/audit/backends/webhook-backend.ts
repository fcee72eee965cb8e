import type { ReviewWebhook } from '../../outgoing/webhooks/review-webhook.ts';
import { withRetries } from '../../outgoing/retries.ts';
import { eventList } from '../event-forms.ts';
import type { AuditBackend } from './backend.ts';
import { withoutObjects } from './held-event.ts';
import { PackedBytes } from './packed-bytes.ts';
import type { EventFailure } from './failures.ts';

/** Sends events to another server, some times if need be. */
export function webhookBackend(
  webhook: Pick<ReviewWebhook, 'send'>,
  { initialBackoffMs, failed }: { readonly initialBackoffMs: number; readonly failed: EventFailure },
): AuditBackend {
  const backoff = { firstMs: initialBackoffMs, factor: 1.5, jitter: 0.2, attempts: 5 };
  return {
    process(events) {
      const body = new PackedBytes(eventList(events));
      const withoutBodies = events.map(withoutObjects);
      // Hardly any failure justifies losing events.
      return withRetries(() => sent(webhook, body), { ...backoff, isWorthIt: () => true }).then(
        () => true,
        (error: unknown) => {
          failed('webhook', error, withoutBodies);
          return false;
        },
      );
    },
    close: () => Promise.resolve(),
  };
}

/** Sends it once; after a failure it waits for the next attempt. */
async function sent(webhook: Pick<ReviewWebhook, 'send'>, body: PackedBytes): Promise<void> {
  try {
    await webhook.send(await body.bytes());
  } catch (error) {
    body.pack();
    throw error;
  }
}
