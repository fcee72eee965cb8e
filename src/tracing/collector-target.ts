const byDefault = 'localhost:4317';

/** The address of a collector as gRPC for Node names it; `host:port` is one of DNS. Undefined: OpenTelemetry's. */
export function collectorTarget(endpoint: string | undefined): string {
  if (endpoint === undefined || endpoint === '') return byDefault;
  const [authority = '', place = ''] = endpoint.startsWith('dns://') ? endpoint.slice('dns://'.length).split('/') : [];
  // An address in the place of a name server is meant as that of the collector.
  if (authority !== '' && place === '') return authority;
  return endpoint;
}
