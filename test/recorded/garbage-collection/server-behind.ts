import { expect } from 'vitest';
import { portOf, register, startBehind } from '../../aggregation/behind.ts';
import { ApiClient } from '../../api-client.ts';
import { customGroup } from './graphs.ts';
import type { DefiningServer } from './play.ts';

/** A server for the custom kinds, behind another one; the stack ends it. */
export async function serverBehind(
  front: ApiClient,
  { kubeconfigPath }: { readonly kubeconfigPath: string },
  opened: AsyncDisposableStack,
): Promise<DefiningServer> {
  // Until its hooks have run, the front does not tell other servers how to know users.
  const health = async (): Promise<number> => (await front.sendBytes('GET', '/readyz', { accept: '*/*' })).code;
  await expect.poll(health, { timeout: 20_000 }).toBe(200);
  const behind = opened.use(await startBehind(kubeconfigPath));
  const client = opened.use(await ApiClient.connect(behind));
  return { client, registered: () => register(front, { group: customGroup, port: portOf(behind) }) };
}
