import type { Client } from '../api/client/client.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import { readyAddresses, serviceNameLabel, sliceOf } from './endpoint-slice.ts';
import { CallError } from './call-error.ts';
import type { CallAddress } from './call-address.ts';

/** Where a service is reached. */
export type ServiceAddress = CallAddress;

/** Throws when there is no such service, or no such port. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Soon<ServiceAddress>;

/** All addresses at which a service is reached, of which any will do. */
export type EndpointsResolver = (namespace: string, name: string, port: number) => Soon<readonly ServiceAddress[]>;

/** How services are found. */
export interface ServiceRouting {
  /** At their endpoints instead of their cluster IPs. */
  readonly routesToEndpoints: boolean;
  /** Addresses of services that are somewhere else, by `NAME.NAMESPACE` or `NAME.NAMESPACE:PORT`. */
  readonly serviceAddresses: ReadonlyMap<string, ServiceAddress>;
}

/** Resolves services as configured. */
export function routedServices(
  client: Pick<Client, 'get' | 'list'>,
  { routesToEndpoints, serviceAddresses }: ServiceRouting,
): EndpointsResolver {
  const clusterAddress = serviceResolver(client);
  const found: EndpointsResolver = routesToEndpoints
    ? endpointsResolver(client)
    : async (...place) => [await clusterAddress(...place)];
  return (namespace, name, port) => {
    const host = `${name}.${namespace}`;
    const address = serviceAddresses.get(`${host}:${port}`) ?? serviceAddresses.get(host);
    return address === undefined ? found(namespace, name, port) : [address];
  };
}

/** One of the addresses. */
export function anyAddress(resolve: EndpointsResolver): ServiceResolver {
  return async (namespace, name, port) => {
    const addresses = await resolve(namespace, name, port);
    const address = addresses[Math.floor(Math.random() * addresses.length)];
    if (address === undefined) throw new CallError(`no endpoints available for service ${goQuote(name)}`);
    return address;
  };
}

const services = { group: '', version: 'v1', resource: 'services' } as const;
const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' } as const;

/** Decoded as a service. */
interface ServiceSpec {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly externalName?: string;
  readonly ipFamilies?: readonly string[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** Resolves services to their cluster IPs, for a server that can reach the cluster network. */
function serviceResolver(client: Pick<Client, 'get'>): ServiceResolver {
  return async (namespace, name, port): Promise<ServiceAddress> => {
    const { type = 'ClusterIP', clusterIP = '', externalName = '', ports } = await specOf(client, namespace, name);
    if (type === 'ExternalName') return { host: externalName, port };
    if (ports?.some((each) => each.port === port) !== true) throw noSuchPort(name, port);
    if (clusterIP === '' || clusterIP === 'None') {
      throw new CallError(`cannot route to service with ClusterIP ${goQuote(clusterIP)}`);
    }
    return { host: clusterIP, port };
  };
}

/** Resolves services to their ready endpoints, those of their first address family if there are any. */
function endpointsResolver(client: Pick<Client, 'get' | 'list'>): EndpointsResolver {
  return async (namespace, name, port): Promise<readonly ServiceAddress[]> => {
    const { type = 'ClusterIP', ports, ipFamilies = [] } = await specOf(client, namespace, name);
    if (type === 'ExternalName') throw new CallError(`unsupported service type ${goQuote(type)}`);
    const found = ports?.find((each) => each.port === port);
    if (found === undefined) throw noSuchPort(name, port);
    const { items } = await client.list({ ...slices, namespace });
    const of = items.filter(({ metadata }) => metadata.labels?.[serviceNameLabel] === name).map(sliceOf);
    const preferred = of.filter(({ addressType }) => addressType === ipFamilies[0]);
    const addresses = [preferred, of].map((each) => each.flatMap((slice) => readyAddresses(slice, found.name ?? '')));
    const chosen = addresses.find((each) => each.length > 0);
    if (chosen === undefined) throw new CallError(`no endpoints available for service ${goQuote(name)}`);
    return chosen;
  };
}

async function specOf(client: Pick<Client, 'get'>, namespace: string, name: string): Promise<ServiceSpec> {
  const service = await client.get({ ...services, namespace, name });
  return (service['spec'] ?? {}) as ServiceSpec;
}

function noSuchPort(name: string, port: number): CallError {
  return new CallError(`no service port ${port} found for service ${goQuote(name)}`);
}
