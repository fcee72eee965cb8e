import type { ClusterPolicy } from '../../../../api/field-error.ts';
import { parseIpRange } from '../../../../api/ip-address.ts';
import type { KubernetesObject } from '../../../../api/object.ts';
import { invalid } from '../../../../api/status-errors.ts';
import type { Finish, Strategy } from '../../../../registry/strategy.ts';
import { ClusterIps } from './cluster-ips.ts';
import { settleFamilies } from './ip-families.ts';
import { dropUnusedFields, keepAllocated, linkClusterIps } from './linked-fields.ts';
import { type NodePortRange, NodePorts } from './node-ports.ts';
import { completeAddresses } from './older-services.ts';
import { Reservation } from './reservation.ts';
import { needsClusterIp, type Service } from './service-needs.ts';

export interface ServiceAllocationOptions {
  /** One range, or one of each address family, the default first. */
  readonly clusterIpRanges: readonly string[];
  readonly nodePortRange: NodePortRange;
  /** Every stored service: what they have is what is taken. */
  listServices(): Promise<readonly KubernetesObject[]>;
  /** Rules that the configuration takes away. */
  readonly lifted: ReadonlySet<ClusterPolicy>;
}

interface Allocators {
  readonly clusterIps: ClusterIps;
  readonly nodePorts: NodePorts;
}

/** What services reserve outside of themselves: cluster addresses and ports of the nodes. */
export function serviceAllocation(options: ServiceAllocationOptions): Strategy<Service> {
  let ready: Promise<Allocators> | undefined;
  let loaded: Allocators | undefined;
  const allocators = async (): Promise<Allocators> => {
    try {
      ready ??= load(options);
      loaded = await ready;
      return loaded;
    } catch (error) {
      // The next write tries again.
      ready = undefined;
      throw error;
    }
  };
  const [primary] = options.clusterIpRanges.map((text) => parseIpRange(text)?.network.family);
  return {
    complete: ({ spec = {} }) => completeAddresses(spec, primary === 6 ? 'IPv6' : 'IPv4'),
    async beginCreate(service, { dryRun }) {
      linkClusterIps((service.spec ??= {}), undefined);
      return allocate(service, undefined, { allocators: await allocators(), dryRun, ...options });
    },
    async beginUpdate(service, old, { dryRun }) {
      const before = old.spec ?? {};
      keepAllocated((service.spec ??= {}), before);
      linkClusterIps(service.spec, before);
      return allocate(service, old, { allocators: await allocators(), dryRun, ...options });
    },
    // What was deleted before anything was allocated is not among the services that are read then.
    afterDelete(service) {
      loaded?.clusterIps.releaseAll(service.spec ?? {});
      loaded?.nodePorts.releaseAll(service.spec ?? {});
    },
    prepareForUpdate: dropUnusedFields,
  };
}

async function load(options: ServiceAllocationOptions): Promise<Allocators> {
  const { clusterIpRanges, nodePortRange } = options;
  const ranges = clusterIpRanges.map((text) => {
    const range = parseIpRange(text);
    if (range === undefined) throw new Error(`${JSON.stringify(text)} is no range of addresses`);
    return range;
  });
  const clusterIps = new ClusterIps(ranges);
  const nodePorts = new NodePorts(nodePortRange);
  // Objects of a kind are decoded by its schema, so they are of its type.
  for (const { spec = {} } of (await options.listServices()) as readonly Service[]) {
    clusterIps.note(spec);
    nodePorts.note(spec);
  }
  return { clusterIps, nodePorts };
}

function allocate(
  service: Service,
  old: Readonly<Service> | undefined,
  {
    allocators,
    dryRun,
    lifted,
  }: { readonly allocators: Allocators; readonly dryRun: boolean } & Pick<ServiceAllocationOptions, 'lifted'>,
): Finish {
  const errors = settleFamilies(service, old, allocators.clusterIps.families).filter(
    ({ clusterPolicy }) => clusterPolicy === undefined || !lifted.has(clusterPolicy),
  );
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
  // Nothing in the cluster routes what is outside of it.
  if (service.spec !== undefined && !needsClusterIp(service.spec)) delete service.spec.internalTrafficPolicy;
  const reservation = new Reservation(dryRun);
  try {
    allocators.clusterIps.allocate(service, old, reservation);
    allocators.nodePorts.allocate(service, old, reservation);
  } catch (error) {
    reservation.finish(false);
    throw error;
  }
  return reservation.finish;
}
