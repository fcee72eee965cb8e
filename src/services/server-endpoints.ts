import { isIP } from 'node:net';
import { compareBytewise } from '../api/json/json-text.ts';
import type {
  EndpointAddress,
  Endpoints,
  EndpointPort,
  EndpointSubset,
} from '../schema/kubernetes/generated/types/core-v1.ts';
import type { EndpointSlice } from '../schema/kubernetes/generated/types/discovery-v1.ts';

/** Addresses of the servers, all with the same ports. */
export interface ServerPlaces {
  readonly addresses: readonly string[];
  readonly ports: readonly EndpointPort[];
}

const mirrored = 'endpointslice.kubernetes.io/skip-mirror';
const ofService = 'kubernetes.io/service-name';

export function portsOf(port: number): readonly EndpointPort[] {
  return [{ name: 'https', port, protocol: 'TCP' }];
}

/** The servers in the Endpoints; undefined if they are not of the form that servers write. */
export function placesOf({ subsets = [] }: Endpoints): ServerPlaces | undefined {
  const [subset] = subsets;
  if (subset === undefined || subsets.length !== 1) return undefined;
  return { addresses: (subset.addresses ?? []).map(({ ip = '' }) => ip), ports: subset.ports ?? [] };
}

/** Endpoints with these addresses, in order; existing addresses keep their other fields. */
export function withPlaces(endpoints: Endpoints, { addresses, ports }: ServerPlaces): Endpoints {
  const known = new Map((endpoints.subsets?.[0]?.addresses ?? []).map((address) => [address.ip, address]));
  const all = [...new Set(addresses)].toSorted(compareBytewise);
  const next = all.map((ip): EndpointAddress => known.get(ip) ?? { ip });
  const subset: EndpointSubset = { addresses: next, ports: ports.map((port) => ({ ...port })) };
  const { metadata = {} } = endpoints;
  return {
    ...endpoints,
    metadata: { ...metadata, labels: { ...metadata.labels, [mirrored]: 'true' } },
    subsets: next.length === 0 ? [] : [subset],
  };
}

/** The EndpointSlice with the same content. */
export function sliceOf({ addresses, ports }: ServerPlaces): EndpointSlice {
  const family = addresses.length > 0 && addresses.every((address) => isIP(address) === 6) ? 6 : 4;
  return {
    metadata: { labels: { [ofService]: 'kubernetes' } },
    addressType: `IPv${family}`,
    endpoints: addresses
      .filter((address) => (isIP(address) === 6 ? 6 : 4) === family)
      .toSorted(compareBytewise)
      .map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: addresses.length === 0 ? [] : ports.map((port) => ({ ...port })),
  };
}
