import type { Client } from '../api/client.ts';
import { goQuote } from '../api/go-quote.ts';
import { isJsonObject, type JsonValue } from '../api/json.ts';
import type { Soon } from '../api/soon.ts';
import { type CallAddress, CallError } from './http-call.ts';

/** Where a service is reached. */
export type ServiceAddress = CallAddress;

/** Throws when there is no such service, or no such port. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Soon<ServiceAddress>;

const services = { group: '', version: 'v1', resource: 'services' } as const;

/** Resolves services to their cluster IPs, for a server that can reach the cluster network. */
export function serviceResolver(client: Client): ServiceResolver {
  return async (namespace, name, port): Promise<ServiceAddress> => {
    const service = await client.get({ ...services, namespace, name });
    // Decoded as a service.
    const {
      type = 'ClusterIP',
      clusterIP = '',
      externalName = '',
      ports,
    } = service['spec'] as {
      readonly type?: string;
      readonly clusterIP?: string;
      readonly externalName?: string;
      readonly ports?: JsonValue;
    };
    if (type === 'ExternalName') return { host: externalName, port };
    const found = Array.isArray(ports) && ports.some((each) => isJsonObject(each) && each['port'] === port);
    if (!found) throw new CallError(`no service port ${port} found for service ${goQuote(name)}`);
    if (clusterIP === '' || clusterIP === 'None') {
      throw new CallError(`cannot route to service with ClusterIP ${goQuote(clusterIP)}`);
    }
    return { host: clusterIP, port };
  };
}
