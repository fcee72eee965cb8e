import { setTimeout as sleep } from 'node:timers/promises';
import { policy } from './policy.ts';
import { bootstrapped } from './servers.ts';
import type { TokenClient } from './token-client.ts';

/** Creates the policy under test and waits until it is in effect. */
export async function makePolicy(client: TokenClient): Promise<void> {
  for (const [path, body] of policy) {
    const { code } = await client.send({ method: 'POST', path, token: 'tok-root', body });
    if (code !== 201) throw new Error(`${path} answered ${code}`);
  }
  // The last binding is in effect when bob has access through his group; bootstrapping has finished by then, too.
  const ready = { method: 'GET', path: '/api/v1/namespaces/team/configmaps/a', token: 'tok-bob' };
  for (let left = 100; (await client.send(ready)).code === 403 && left > 0; left -= 1) await sleep(50);
  await bootstrapped(client);
}
