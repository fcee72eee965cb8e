import type { Admission } from '../api/admission.ts';
import type { Clock } from '../api/clock.ts';
import type { KubernetesObject } from '../api/object.ts';
import { Turns } from '../api/turns.ts';
import { UnservedObject, UnservedObjects } from '../registry/unserved-objects.ts';
import type { ServiceRegisters } from '../resources/core/service/allocation/service-allocation.ts';
import { StoredPorts } from '../resources/core/service/allocation/port-register.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import { prefixEnd } from '../storage/contract.ts';
import type { CachedObjects } from './cached-objects.ts';
import type { ServerConfig } from './config.ts';
import type { Store } from './open-store.ts';
import type { ResourceScopes } from './resource-scopes.ts';
import { ServiceAddresses } from './service-addresses.ts';

export interface ServiceRegistersOptions {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Pick<Store, 'storage' | 'format'>;
  readonly stored: CachedObjects;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** What services reserve, shared by all servers of the store. */
export interface SharedRegisters extends ServiceRegisters {
  readonly ports: StoredPorts;
}

export function serviceRegisters(options: ServiceRegistersOptions): SharedRegisters {
  const { config, scopes, store, stored, admission, clock, onError } = options;
  const place = new UnservedObject(
    unservedObjects('RangeAllocation', store),
    `${config.storage.prefix}/ranges/servicenodeports`,
  );
  return {
    addresses: new ServiceAddresses({ kinds: () => scopes.now, stored, admission, clock, onError }),
    ports: new StoredPorts({
      range: config.api.serviceNodePortRange,
      place,
      listServices: () => storedServices(scopes),
      onError,
    }),
  };
}

/** Objects of a core kind that no path serves. */
export function unservedObjects(
  kind: 'RangeAllocation' | 'Endpoints',
  { storage, format }: Pick<Store, 'storage' | 'format'>,
): UnservedObjects {
  const schema = schemaByName(`io.k8s.api.core.v1.${kind}`);
  if (schema === undefined) throw new Error(`there is no kind ${kind}`);
  return new UnservedObjects({ storage, encoding: format.encoding, type: { apiVersion: 'v1', kind }, schema });
}

/** From the store itself: nobody may have a port that this server has not heard of yet. */
async function storedServices(scopes: ResourceScopes): Promise<readonly KubernetesObject[]> {
  const store = scopes.now.scopeOf('', 'v1', 'services')?.store;
  if (store === undefined) return [];
  const { kvs } = await store.storage.range({ start: store.keyPrefix, end: prefixEnd(store.keyPrefix) });
  const services: KubernetesObject[] = [];
  const turns = new Turns();
  for (const kv of kvs) {
    if (turns.isOver) await turns.next();
    if (kv.unreadable === undefined) services.push(store.codec.decode(kv));
  }
  return services;
}
