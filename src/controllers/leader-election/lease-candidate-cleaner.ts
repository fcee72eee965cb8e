import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { deleteIfSame } from '../delete-if-same.ts';
import { partsOfKey } from '../followed-objects.ts';
import { expiryOfCandidate } from './election-step.ts';
import { leaseCandidates } from './lease-candidates.ts';

/** Deletes LeaseCandidates that have not renewed for half an hour. */
export function leaseCandidateCleaner(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const loop = new ControlLoop(context, clean, { queue: 'lease_candidate_cleaner', workers: 1 });
  const candidates = loop.follow(leaseCandidates, {
    keep: (candidate) => candidate, // decoded by its schema
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function clean(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const candidate = candidates.get(namespace, name);
    if (candidate === undefined) return;
    const leftMs = expiryOfCandidate(candidate) - clock.now();
    if (leftMs > 0) loop.queue.addAfter(key, leftMs);
    else await deleteIfSame(client, leaseCandidates, candidate);
  }
}
