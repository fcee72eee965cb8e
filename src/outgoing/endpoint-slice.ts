import type { KubernetesObject } from '../api/meta/object.ts';
import type { CallAddress } from './call-address.ts';

/** The fields read of a decoded EndpointSlice. */
export interface EndpointSlice {
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

interface Endpoint {
  readonly addresses?: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
}

export const serviceNameLabel = 'kubernetes.io/service-name';

export function sliceOf(object: Readonly<KubernetesObject>): EndpointSlice {
  // Decoded by its schema.
  return object as KubernetesObject & EndpointSlice;
}

/** Where a port of a service is reached at its ready endpoints. */
export function readyAddresses({ endpoints = [], ports = [] }: EndpointSlice, portName: string): CallAddress[] {
  const found = ports.flatMap(({ name, port }) => (name === portName && port !== undefined ? [port] : []));
  const hosts = endpoints.filter(isReady).flatMap(({ addresses = [] }) => addresses.slice(0, 1));
  return found.flatMap((port) => hosts.map((host) => ({ host, port })));
}

/** Unknown counts as ready. */
function isReady({ conditions }: Endpoint): boolean {
  return conditions?.ready !== false;
}
