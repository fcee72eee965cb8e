import { bootstrapSecretType, bootstrapTokenLeftMs } from '../authentication/bootstrap-secret.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { secrets } from './core-collections.ts';
import { deleteIfSame } from './delete-if-same.ts';
import { partsOfKey } from './followed-objects.ts';

const namespace = 'kube-system';

/** Deletes expired bootstrap tokens. */
export function tokenCleaner(context: ControllerContext): AsyncDisposable {
  const { client, clock } = context;
  const loop = new ControlLoop(context, clean, { queue: 'token_cleaner', workers: 1 });
  const tokens = loop.follow(secrets, {
    mentions: bootstrapSecretType,
    keep: (secret) =>
      secret['type'] === bootstrapSecretType && secret.metadata.namespace === namespace ? secret : undefined,
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function clean(key: string): Promise<void> {
    const secret = tokens.get(namespace, partsOfKey(key).name);
    if (secret === undefined) return;
    const leftMs = bootstrapTokenLeftMs(secret, clock.now());
    if (leftMs <= 0) await deleteIfSame(client, secrets, secret);
    else if (Number.isFinite(leftMs)) loop.queue.addAfter(key, leftMs);
  }
}
