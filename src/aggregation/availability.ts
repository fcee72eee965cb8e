import type { Client } from '../api/client/client.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { readyAddresses, serviceNameLabel, sliceOf } from '../outgoing/endpoint-slice.ts';
import type { CallAddress } from '../outgoing/call-address.ts';
import { type RemoteServer, urlOf } from '../outgoing/remote-server.ts';
import type { Availability } from './api-service.ts';
import { aggregatorHeaders } from './identity-headers.ts';

const services = { group: '', version: 'v1', resource: 'services' } as const;
const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' } as const;

/** Discovery is cheap: a slower server is unhealthy. */
const timeoutMs = 5_000;
/** One responding endpoint is enough. */
const attempts = 5;

export interface Checked {
  /** The service of the server. */
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** `/apis/example.com/v1` */
  readonly path: string;
  readonly server: RemoteServer;
}

/** Whether a server can be reached, by the checks of kube-apiserver: service, port, endpoints, then a request. */
export async function availabilityOf(client: Pick<Client, 'get' | 'list'>, checked: Checked): Promise<Availability> {
  const service = await serviceOf(client, checked);
  if (!('metadata' in service)) return service;
  return (await endpointsFault(client, checked, service)) ?? (await discoveryFault(checked)) ?? passed;
}

const passed: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

function unavailable(reason: string, message: string): Availability {
  return { status: 'False', reason, message };
}

async function serviceOf(
  client: Pick<Client, 'get'>,
  { namespace, name }: Checked,
): Promise<KubernetesObject | Availability> {
  const what = `service/${name} in ${goQuote(namespace)}`;
  try {
    return await client.get({ ...services, namespace, name });
  } catch (error) {
    if (isReason(error, 'NotFound')) return unavailable('ServiceNotFound', `${what} is not present`);
    const message = `${what} cannot be checked due to: ${failureText(error)}`;
    return { status: 'Unknown', reason: 'ServiceAccessError', message };
  }
}

interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** A service with a cluster IP must have the port, and endpoints. */
async function endpointsFault(
  client: Pick<Client, 'list'>,
  { namespace, name, port }: Checked,
  service: KubernetesObject,
): Promise<Availability | undefined> {
  // Decoded as a service.
  const { type = 'ClusterIP', ports = [] } = (service['spec'] ?? {}) as ServiceSpec;
  if (type !== 'ClusterIP') return undefined;
  const what = `service/${name} in ${goQuote(namespace)}`;
  const found = ports.find((each) => each.port === port);
  if (found === undefined) return unavailable('ServicePortError', `${what} is not listening on port ${port}`);
  let items: readonly KubernetesObject[];
  try {
    ({ items } = await client.list({ ...slices, namespace }));
  } catch (error) {
    const message = `${what} cannot be checked due to: ${failureText(error)}`;
    return { status: 'Unknown', reason: 'EndpointsAccessError', message };
  }
  const own = items.filter(({ metadata }) => metadata.labels?.[serviceNameLabel] === name);
  if (own.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${what}`);
  const { name: portName = '' } = found;
  if (own.some((slice) => readyAddresses(sliceOf(slice), portName).length > 0)) return undefined;
  const none = `endpointslices for ${what} have no addresses with port name ${goQuote(portName)}`;
  return unavailable('MissingEndpoints', none);
}

async function discoveryFault({ server, path }: Checked): Promise<Availability | undefined> {
  try {
    const addresses = await server.addresses();
    const tried = Array.from({ length: Math.min(attempts, addresses.length) }, () => server.address());
    await Promise.any(tried.map(async (address) => tryOne(server, await address, path)));
    return undefined;
  } catch (error) {
    const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    return unavailable('FailedDiscoveryCheck', failureText(failures.at(-1)));
  }
}

async function tryOne(server: RemoteServer, address: CallAddress, path: string): Promise<void> {
  const url = urlOf(address, path);
  const call = { headers: aggregatorHeaders, timeoutMs, maxResponseBytes: 0, ignoresBody: true };
  try {
    const { status } = await server.call(address, path, call);
    if (status < 200 || status >= 300) throw new Error(`bad status from ${url}: ${status}`);
  } catch (error) {
    throw new Error(`failing or missing response from ${url}: ${failureText(error)}`, { cause: error });
  }
}

function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
