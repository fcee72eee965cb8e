import type { Admission } from '../../api/contracts/admission.ts';
import type { Clock } from '../../api/time/clock.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { UnservedObject, UnservedObjects } from '../../registry/stored/unserved-objects.ts';
import type { ServiceRegisters } from '../../resources/core/service/allocation/service-allocation.ts';
import { type PortRegister, StoredPorts } from '../../resources/core/service/allocation/port-register.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import type { CachedObjects } from '../../scopes/cached-objects.ts';
import type { ServerConfig } from '../config.ts';
import type { Store } from '../store/store.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { ServiceAddresses } from '../../services/service-addresses.ts';
import { allServices } from '../../services/service-follower.ts';
import { MeasuredAddresses, MeasuredPorts, RepairMetrics } from '../../services/service-metrics.ts';
import { ServiceRepair } from '../../services/service-repair.ts';
import { storedList } from '../../services/stored-list.ts';

export interface ServiceRegistersOptions {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Pick<Store, 'storage' | 'format'>;
  readonly stored: CachedObjects;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly metric: PartContext['metric'];
  /** The node ports of the process, for threads that neither allocate them nor repair allocations themselves. */
  readonly processPorts?: (PortRegister & Pick<ServiceRegisters, 'repaired'>) | undefined;
}

type Repair = Pick<ServiceRepair, 'ready' | typeof Symbol.asyncDispose>;

/** Allocations for services, shared by all servers of the store; repair starts on first use. */
export class SharedRegisters implements ServiceRegisters, AsyncDisposable {
  readonly addresses: MeasuredAddresses;
  readonly ports: PortRegister;
  readonly #startRepair: () => Repair;
  #repair: Repair | undefined;
  #stopped = false;

  constructor(options: ServiceRegistersOptions) {
    const { config, scopes, stored, admission, clock, onError, metric } = options;
    const addresses = new ServiceAddresses({ kinds: () => scopes.now, stored, admission, clock, onError });
    this.addresses = new MeasuredAddresses(addresses, metric);
    const { processPorts } = options;
    if (processPorts !== undefined) {
      this.ports = processPorts;
      this.#startRepair = () => ({ ready: processPorts.repaired(), [Symbol.asyncDispose]: async () => undefined });
      return;
    }
    const ports = storedPorts(options);
    const portRange = config.api.serviceNodePortRange;
    this.ports = new MeasuredPorts(ports, portRange, metric);
    const metrics = new RepairMetrics(metric);
    this.#startRepair = () => new ServiceRepair({ addresses, ports, metrics, scopes, clock, portRange, onError });
  }

  repaired(): Promise<void> {
    // A late request uses the existing state.
    if (this.#stopped) return Promise.resolve();
    this.#repair ??= this.#startRepair();
    return this.#repair.ready;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#repair?.[Symbol.asyncDispose]();
  }
}

function storedPorts({ config, scopes, store, onError }: ServiceRegistersOptions): StoredPorts {
  const place = new UnservedObject(
    unservedObjects('RangeAllocation', store),
    `${config.storage.prefix}/ranges/servicenodeports`,
  );
  const range = config.api.serviceNodePortRange;
  return new StoredPorts({ range, place, listServices: () => storedList(scopes, allServices), onError });
}

/** Objects of a core kind that no path serves. */
export function unservedObjects(
  kind: 'RangeAllocation' | 'Endpoints',
  { storage, format }: Pick<Store, 'storage' | 'format'>,
): UnservedObjects {
  const schema = schemaByName(`io.k8s.api.core.v1.${kind}`);
  if (schema === undefined) throw new Error(`unknown kind ${kind}`);
  return new UnservedObjects({ storage, encoding: format.encoding, type: { apiVersion: 'v1', kind }, schema });
}
