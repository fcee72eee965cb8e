import type { AggregationConfig } from '../aggregation/aggregation-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { boolean, serviceAddresses, string } from './flag-types.ts';

/** Flags of the way to other API servers. */
export const aggregationFlags: readonly BuiltFlag[] = [
  flag('aggregator-reject-forwarding-redirect', {
    type: boolean,
    help: 'reject redirects of other API servers instead of forwarding them to clients',
    set: (refusesRedirects, config) => aggregation(config, { refusesRedirects }),
  }),
  flag('enable-aggregator-routing', {
    type: boolean,
    help: 'call other API servers and webhooks at the endpoints of their services instead of their cluster IPs',
    set: (routesToEndpoints, config) => aggregation(config, { routesToEndpoints }),
  }),
  flag('service-addresses', {
    ownType: 'mapStringString',
    type: serviceAddresses,
    help: 'comma-separated NAME.NAMESPACE[:PORT]=HOST:PORT: where services of webhooks and other API servers are called instead of in the cluster',
    set: (addresses, config) => aggregation(config, { serviceAddresses: addresses }),
  }),
  flag('proxy-client-cert-file', {
    type: string,
    help: 'PEM file of the client certificate for calls to other API servers and webhooks',
    set: (file, config) => aggregation(config, { proxyClientCertFile: fileOf(file) }),
  }),
  flag('proxy-client-key-file', {
    type: string,
    help: 'PEM file of the key of --proxy-client-cert-file',
    set: (file, config) => aggregation(config, { proxyClientKeyFile: fileOf(file) }),
  }),
];

function aggregation(
  { aggregation: before }: ServerConfig,
  changed: Partial<AggregationConfig>,
): Pick<ServerConfig, 'aggregation'> {
  return { aggregation: { ...before, ...changed } };
}
