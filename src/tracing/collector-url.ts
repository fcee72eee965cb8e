/**
 * The address of a collector as the exporter takes it, from one as gRPC names it (grpc.io, "Name Resolution"):
 * `host:port`, `dns:///host:port`, `dns://resolver/host:port`, `unix:///path`. Undefined: the exporter's default.
 */
export function collectorUrl(endpoint: string | undefined): string | undefined {
  if (endpoint === undefined || endpoint === '') return undefined;
  if (/^unix(?:-abstract)?:/.test(endpoint)) return endpoint;
  if (!endpoint.startsWith('dns://')) return `http://${endpoint}`;
  const [resolver = '', place = ''] = endpoint.slice('dns://'.length).split('/');
  return `http://${place === '' ? resolver : place}`;
}
