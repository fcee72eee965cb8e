import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import type { Job } from '../schema/kubernetes/generated/types/batch-v1.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { partsOfKey } from './followed-objects.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs', namespace: '' };

/** Deletes finished jobs after their `ttlSecondsAfterFinished`. */
export function ttlAfterFinishedController(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const loop = new ControlLoop(context, clean, { queue: 'ttl_jobs_to_delete' });
  const finished = loop.follow(jobs, {
    keep: (job) => endOf(job),
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function clean(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const known = finished.get(namespace, name);
    if (known === undefined || !isOver(key, known)) return;
    try {
      // The known state may be stale, and the deletion is final.
      const job = await client.get({ ...jobs, namespace, name });
      const endMs = endOf(job);
      if (endMs === undefined || !isOver(key, endMs)) return;
      const { uid } = job.metadata;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      await client.delete({ ...jobs, namespace, name }, { propagationPolicy: 'Foreground', ...preconditions });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  function isOver(key: string, endMs: number): boolean {
    const leftMs = endMs - clock.now();
    if (leftMs > 0) loop.queue.addAfter(key, leftMs);
    return leftMs <= 0;
  }
}

/** When a job expires; undefined for jobs that are unfinished, have no TTL, or are being deleted. */
function endOf(object: KubernetesObject): number | undefined {
  const { metadata, spec, status } = object as KubernetesObject & Job; // decoded by its schema
  const seconds = spec?.ttlSecondsAfterFinished;
  if (metadata.deletionTimestamp !== undefined || seconds === undefined) return undefined;
  const end = (status?.conditions ?? []).find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  const endMs = Date.parse(end?.lastTransitionTime ?? '');
  return Number.isNaN(endMs) ? undefined : endMs + Number(seconds) * 1000;
}
