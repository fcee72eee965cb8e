import type { ClusterPolicy } from '../../../../api/errors/field-error.ts';
import { parseIpRange } from '../../../../api/values/ip-address.ts';
import { invalid } from '../../../../api/errors/status-errors.ts';
import type { Finish, Strategy } from '../../../../registry/kinds/strategy.ts';
import type { AddressRegister } from './address-register.ts';
import { ClusterIps } from './cluster-ips.ts';
import { type IpFamily, settleFamilies } from './ip-families.ts';
import { dropUnusedFields, keepAllocated, linkClusterIps } from './linked-fields.ts';
import { NodePorts } from './node-ports.ts';
import { completeAddresses } from './older-services.ts';
import type { NodePortRange } from './port-bitmap.ts';
import type { PortRegister } from './port-register.ts';
import { Reservation } from './reservation.ts';
import type { Service } from './service-needs.ts';

export interface ServiceAllocationOptions {
  /** One range, or one per address family, the default first. */
  readonly clusterIpRanges: readonly string[];
  readonly nodePortRange: NodePortRange;
  /** Shared by the servers of the store; called when a service is written. */
  readonly registers: () => ServiceRegisters;
  /** Rules disabled by configuration. */
  readonly disabledPolicies: ReadonlySet<ClusterPolicy>;
}

export interface ServiceRegisters {
  readonly addresses: AddressRegister;
  readonly ports: PortRegister;
  /** Resolves once the allocations of earlier servers are repaired: nothing is allocated before. */
  repaired(): Promise<void>;
}

interface Allocators extends Pick<ServiceRegisters, 'repaired'> {
  readonly clusterIps: ClusterIps;
  readonly nodePorts: NodePorts;
}

/** Allocates cluster IPs and node ports of services. */
export function serviceAllocation(options: ServiceAllocationOptions): Strategy<Service> {
  const { nodePortRange, clusterIpRanges, registers } = options;
  let made: Allocators | undefined;
  const allocators = (): Allocators => (made ??= allocatorsOf(registers(), nodePortRange));
  const families = clusterIpRanges.map((text): IpFamily =>
    parseIpRange(text)?.network.family === 6 ? 'IPv6' : 'IPv4',
  );
  const { disabledPolicies } = options;
  return {
    complete: ({ spec = {} }) => completeAddresses(spec, families[0] ?? 'IPv4'),
    async beginCreate(service, { dryRun }) {
      linkClusterIps((service.spec ??= {}), undefined);
      settle(service, undefined, { families, disabledPolicies });
      return allocate(service, undefined, { allocators: allocators(), dryRun });
    },
    async beginUpdate(service, old, { dryRun }) {
      const before = old.spec ?? {};
      keepAllocated((service.spec ??= {}), before);
      linkClusterIps(service.spec, before);
      settle(service, old, { families, disabledPolicies });
      return allocate(service, old, { allocators: allocators(), dryRun });
    },
    async afterDelete(service) {
      await allocators().clusterIps.releaseAll(service);
      await allocators().nodePorts.releaseAll(service);
    },
    prepareForUpdate: dropUnusedFields,
  };
}

function allocatorsOf(registers: ServiceRegisters, range: NodePortRange): Allocators {
  const { addresses, ports } = registers;
  return {
    clusterIps: new ClusterIps(addresses),
    nodePorts: new NodePorts(ports, range),
    repaired: () => registers.repaired(),
  };
}

function settle(
  service: Service,
  old: Readonly<Service> | undefined,
  {
    families,
    disabledPolicies,
  }: { readonly families: readonly IpFamily[] } & Pick<ServiceAllocationOptions, 'disabledPolicies'>,
): void {
  const errors = settleFamilies(service, old, { configured: families, disabledPolicies });
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
}

async function allocate(
  service: Service,
  old: Readonly<Service> | undefined,
  { allocators, dryRun }: { readonly allocators: Allocators; readonly dryRun: boolean },
): Promise<Finish | undefined> {
  await allocators.repaired();
  const reservation = new Reservation(dryRun);
  try {
    await allocators.clusterIps.allocate(service, old, reservation);
    await allocators.nodePorts.allocate(service, old, reservation);
  } catch (error) {
    await reservation.finish?.(false);
    throw error;
  }
  return reservation.finish;
}
