import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../src/api/json/json.ts';
import type { ApiClient } from './api-client.ts';

/** Kinds with a status set by the server: the condition that it sets, and to what. Their deletion may wait too. */
const settlesBy: ReadonlyMap<string, Settled> = new Map([
  // There is no service.
  ['APIService', { type: 'Available', status: 'False' }],
  ['CustomResourceDefinition', { type: 'Established', status: 'True' }],
  // Whether there is such a priority level.
  ['FlowSchema', { type: 'Dangling' }],
  ['ServiceCIDR', { type: 'Ready', status: 'True' }],
]);

interface Settled {
  readonly type: string;
  /** Any if absent. */
  readonly status?: string;
}

/** Whether objects of the kind change after their creation. */
export function settles(kind: string): boolean {
  return settlesBy.has(kind);
}

/** The object once the server has set its status. */
export async function settledObject(client: ApiClient, path: string): Promise<JsonObject> {
  const endMs = performance.now() + 10_000;
  for (;;) {
    const { body } = await client.send('GET', path);
    const condition = settlesBy.get(typeof body['kind'] === 'string' ? body['kind'] : '');
    if (condition === undefined || holds(condition, body)) return body;
    if (performance.now() > endMs)
      throw new Error(`${path} is not ${condition.type}: ${JSON.stringify(body['status'])}`);
    await sleep(10);
  }
}

/** Resolves when the object is gone. Definitions wait for their instances, ServiceCIDRs for ten seconds. */
export async function untilGone(client: ApiClient, path: string): Promise<void> {
  const endMs = performance.now() + 20_000;
  for (;;) {
    const { code, body } = await client.send('GET', path);
    if (code === 404) return;
    if (performance.now() > endMs) throw new Error(`${path} is still there: ${JSON.stringify(body)}`);
    await sleep(10);
  }
}

function holds(wanted: Settled, { status }: JsonObject): boolean {
  const { conditions } = (status ?? {}) as { conditions?: readonly { type: string; status: string }[] | null };
  return (conditions ?? []).some(({ type, status: said }) => type === wanted.type && said === (wanted.status ?? said));
}
