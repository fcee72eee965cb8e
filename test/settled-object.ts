import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../src/api/json.ts';
import type { ApiClient } from './api-client.ts';

/** The object once the server has said of it what it says on its own accord: definitions are established, and wait to be removed. */
export async function settledObject(client: ApiClient, path: string): Promise<JsonObject> {
  const endMs = performance.now() + 10_000;
  for (;;) {
    const { body } = await client.send('GET', path);
    if (body['kind'] !== 'CustomResourceDefinition' || isEstablished(body)) return body;
    if (performance.now() > endMs) throw new Error(`${path} is not established: ${JSON.stringify(body['status'])}`);
    await sleep(10);
  }
}

/** Resolves when the object is gone. Definitions stay until their instances have been removed. */
export async function untilGone(client: ApiClient, path: string): Promise<void> {
  const endMs = performance.now() + 10_000;
  for (;;) {
    const { code, body } = await client.send('GET', path);
    if (code === 404) return;
    if (performance.now() > endMs) throw new Error(`${path} is still there: ${JSON.stringify(body)}`);
    await sleep(10);
  }
}

function isEstablished({ status }: JsonObject): boolean {
  const { conditions } = (status ?? {}) as { conditions?: readonly { type: string; status: string }[] | null };
  return (conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True');
}
