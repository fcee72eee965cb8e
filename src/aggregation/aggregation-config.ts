import type { ServiceRouting } from '../outgoing/service-resolver.ts';

/** How other API servers are reached. */
export interface AggregationConfig extends ServiceRouting {
  /** PEM files by which they know this server, and believe whom it names; undefined: none. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Redirects of other servers are errors; otherwise clients get them. */
  readonly refusesRedirects: boolean;
}

export const aggregationDefaults: AggregationConfig = {
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  routesToEndpoints: false,
  serviceAddresses: new Map(),
  refusesRedirects: true,
};
