import { X509Certificate } from 'node:crypto';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { deleteIfSame } from '../delete-if-same.ts';
import { firstDelayMs, isIssued, signingRequests, type StoredRequest } from './signing-requests.ts';

const hourMs = 3_600_000;
const pendingMs = 24 * hourMs;

/** Deletes obsolete requests: an hour after the decision, or after a day without one. */
export function requestCleaner(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const loop = new ControlLoop(context, clean, { queue: 'certificate_cleaner', workers: 1, firstDelayMs });
  const requests = loop.follow(signingRequests, {
    keep: (object) => object as StoredRequest, // decoded by its schema
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function clean(key: string): Promise<void> {
    const request = requests.get('', key.slice(1));
    if (request === undefined) return;
    const leftMs = endOf(request) - clock.now();
    if (leftMs <= 0) await deleteIfSame(client, signingRequests, request);
    else if (Number.isFinite(leftMs)) loop.queue.addAfter(key, leftMs);
  }
}

/** When a request is to be deleted. */
export function endOf(request: StoredRequest): number {
  const conditions = request.status?.conditions ?? [];
  if (conditions.length === 0) return Date.parse(request.metadata.creationTimestamp ?? '') + pendingMs;
  const ends = conditions.map(({ type, lastUpdateTime }) => {
    const updatedMs = Date.parse(lastUpdateTime ?? '');
    if (type === 'Denied' || type === 'Failed') return updatedMs + hourMs;
    if (type !== 'Approved') return Number.NaN;
    return isIssued(request) ? Math.min(updatedMs + hourMs, certificateEnd(request)) : updatedMs + pendingMs;
  });
  return Math.min(...ends.filter((end) => !Number.isNaN(end)));
}

/** A signer may issue something that we cannot parse. */
function certificateEnd({ status }: StoredRequest): number {
  try {
    const certificate = new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64'));
    return certificate.validToDate.getTime();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
