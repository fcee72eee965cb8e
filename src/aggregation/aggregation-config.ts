/** How other API servers are reached. */
export interface AggregationConfig {
  /** PEM files by which they know this server, and believe whom it names; undefined: none. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
  /** Calls the endpoints of services instead of their cluster IPs. */
  readonly routesToEndpoints: boolean;
  /** Redirects of other servers are errors; otherwise clients get them. */
  readonly refusesRedirects: boolean;
}

export const aggregationDefaults: AggregationConfig = {
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  routesToEndpoints: false,
  refusesRedirects: true,
};
