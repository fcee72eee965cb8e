import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { nodes } from './core-collections.ts';

const annotation = 'node.alpha.kubernetes.io/ttl';

/** How long kubelets may cache secrets and config maps, by the number of nodes. Steps overlap to avoid flapping. */
const steps = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

/**
 * Annotates each node with the TTL of cached objects. After the cluster's size changes, nodes are updated when next
 * seen.
 */
export function ttlController(context: ControllerContext): AsyncDisposable {
  let count = 0;
  let step = 0;
  const loop = new ControlLoop(context, tell, { queue: 'ttlcontroller' });
  const known = loop.follow(nodes, {
    keep: (node) => node,
    changed: ({ now, before, key }) => {
      if (before === undefined) count++;
      if (now === undefined) count--;
      else loop.queue.add(key);
      step = stepAfter(step, count);
    },
  });
  return loop;

  async function tell(key: string): Promise<void> {
    const node = known.get('', key.slice(1));
    const seconds = String(steps[step]?.seconds);
    if (node === undefined || isSame(node, seconds)) return;
    const annotations = { ...node.metadata.annotations, [annotation]: seconds };
    try {
      await context.client.update(nodes, { ...node, metadata: { ...node.metadata, annotations } });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

function isSame({ metadata }: KubernetesObject, seconds: string): boolean {
  const text = metadata.annotations?.[annotation] ?? '';
  return /^[-+]?\d+$/.test(text) && Number(text) === Number(seconds);
}

export function stepAfter(step: number, count: number): number {
  const { least = 0, most = 0 } = steps[step] ?? {};
  if (count > most) return step + 1;
  return count < least ? step - 1 : step;
}
