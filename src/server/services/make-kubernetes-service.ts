import type { Clock } from '../../api/time/clock.ts';
import type { ServerConfig } from '../config.ts';
import type { Store } from '../store/store.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { advertisedHost } from '../listening/serving.ts';
import { EventRecorder } from '../../system/event-recorder.ts';
import { cidrController, DefaultServiceCidr } from '../../services/default-service-cidr.ts';
import { endpointReconcilers } from '../../services/endpoint-reconcilers.ts';
import { firstAddress, KubernetesService, kubernetesService, placeChanger } from '../../services/kubernetes-service.ts';
import { portsOf } from '../../services/server-endpoints.ts';
import { type ServerLeases, SoleLease, StoredLeases } from '../../services/server-leases.ts';
import { unservedObjects } from './service-registers.ts';

export interface KubernetesServiceParts {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Pick<Store, 'storage' | 'format' | 'isShared'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** The service of a server that listens on `port`. */
export function makeKubernetesService(
  { config, scopes, store, clock, onError }: KubernetesServiceParts,
  port: number,
): KubernetesService {
  const { serving, api } = config;
  const kinds = (): ResourceScopes['now'] => scopes.now;
  const address = advertisedHost(serving);
  // To a pod, loopback would be the pod itself.
  const type = address.startsWith('127.') || address === '::1' ? 'none' : serving.endpointReconciler;
  const reconciler = endpointReconcilers[type]({
    own: { address, addresses: [address], ports: portsOf(port) },
    leases: leasesIn(store, config),
    serverCount: serving.serverCount,
    change: placeChanger(kinds, clock),
  });
  const ranges = api.serviceClusterIpRanges;
  const [range = ''] = ranges;
  const events = new EventRecorder({ kinds, clock, controller: cidrController, onError });
  const defaultCidr = new DefaultServiceCidr({ kinds, clock, ranges, events });
  const service = kubernetesService({ port, nodePort: serving.serviceNodePort, range });

  return new KubernetesService({
    kinds,
    clock,
    reconciler,
    defaultCidr,
    onError,
    service,
    address: firstAddress(range),
  });
}

function leasesIn(store: KubernetesServiceParts['store'], { storage }: ServerConfig): ServerLeases {
  if (!store.isShared) return new SoleLease();
  return new StoredLeases(unservedObjects('Endpoints', store), `${storage.prefix}/masterleases/`);
}
