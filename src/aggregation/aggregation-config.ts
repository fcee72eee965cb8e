import type { ServiceRouting } from '../outgoing/service-resolver.ts';

/** How other API servers are reached. */
export interface AggregationConfig extends ServiceRouting {
  /** PEM files of the client certificate that lets them trust the users named by this server; undefined: none. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Rejects redirects of other servers instead of forwarding them. */
  readonly refusesRedirects: boolean;
}

export const aggregationDefaults: AggregationConfig = {
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  routesToEndpoints: false,
  serviceAddresses: new Map(),
  refusesRedirects: true,
};
