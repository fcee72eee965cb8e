import type { Clock } from '../api/time/clock.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { pause } from '../api/scheduling/pause.ts';
import { isReason } from '../api/errors/status.ts';
import { deleteNamed } from '../operations/delete.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { noOptions } from '../registry/kinds/delete-options.ts';
import { objectKey } from '../registry/stored/store-kind.ts';
import { readable } from '../registry/stored/unreadable.ts';
import { newIpAddress, parentOf } from '../resources/networking/ip-address/service-address.ts';
import type { IPAddress } from '../schema/kubernetes/generated/types/networking-v1.ts';
import { type BootstrapObject, ensureObject } from '../system/bootstrap-objects.ts';
import { systemOperation } from '../system/system-operation.ts';

export interface ServiceWithAddress {
  readonly kinds: () => KindRegistry;
  readonly clock: Clock;
  readonly service: BootstrapObject;
  /** The cluster IP that the service asks for. */
  readonly address: string;
  readonly signal: AbortSignal;
}

const delayMs = 200;
/** Another server creates its service in a few milliseconds after it has allocated the address. */
const attemptsBeforeRelease = 5;

/**
 * Creates the service if it is missing. Its address may be allocated to it although it does not exist: another server
 * is about to create it, or an earlier start was interrupted in between. After a second of retries the address is
 * released and allocated anew.
 */
export async function ensureServiceWithAddress(options: ServiceWithAddress): Promise<void> {
  const { kinds, clock, service, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ensureObject(kinds(), service, clock);
      return;
    } catch (error) {
      if (!isReason(error, 'Invalid') || attempt > attemptsBeforeRelease || signal.aborted) throw error;
      const uid = await allocationOf(options);
      if (uid === undefined) throw error;
      if (attempt < attemptsBeforeRelease) await pause(delayMs, signal);
      else await release(options, uid);
    }
  }
}

/** UID of the IPAddress if the service is its parent. */
async function allocationOf({ kinds, service, address }: ServiceWithAddress): Promise<string | undefined> {
  const store = kinds().scopeOf('networking.k8s.io', 'v1', 'ipaddresses')?.store;
  const { kv } = (await store?.storage.get(objectKey(store, '', address))) ?? {};
  if (store === undefined || kv === undefined) return undefined;
  const found = store.codec.decode(readable(store, kv)) as KubernetesObject & IPAddress; // decoded by the schema of its kind
  return parentOf(found.spec) === parentOf(newIpAddress(address, service).spec) ? found.metadata.uid : undefined;
}

async function release({ kinds, clock, address }: ServiceWithAddress, uid: string): Promise<void> {
  const now = kinds();
  const scope = now.scopeOf('networking.k8s.io', 'v1', 'ipaddresses');
  if (scope === undefined) return;
  const options = { ...noOptions, preconditions: { uid } };
  try {
    await deleteNamed(systemOperation(scope, { kinds: now, clock }), address, options);
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}
