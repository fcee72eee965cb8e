import type { Exchange } from '../transport/exchange.ts';
import type { RequestContext } from './request-context.ts';
import { sourceIps } from './source-ips.ts';

const longestAgent = 1024;

/** What traces and the log say of a request for a resource, under the reference's names and in its order. */
export function requestAttributes(
  { exchange, info, auditId }: RequestContext,
  verb: string,
): Readonly<Record<string, string>> {
  const { group, version, name, subresource, namespace, resource } = info;
  const agent = exchange.header('user-agent') ?? 'unknown';
  return {
    accept: exchange.header('accept') ?? '',
    'audit-id': auditId,
    client: sourceIps(exchange)[0] ?? 'unknown',
    'api-group': group,
    'api-version': version,
    name,
    subresource,
    namespace,
    protocol: protocolOf(exchange),
    resource,
    scope: scopeOf(info),
    url: exchange.path,
    'user-agent': agent.length > longestAgent ? `${agent.slice(0, longestAgent)}...TRUNCATED` : agent,
    verb,
  };
}

/** Whether a request is an apply, by its media type: traces and the log name it so. */
export function isApply(exchange: Pick<Exchange, 'method' | 'header'>): boolean {
  return exchange.method === 'PATCH' && (exchange.header('content-type') ?? '').startsWith('application/apply-patch+');
}

/** `HTTP/2.0`, as Go names it. */
export function protocolOf({ httpVersion }: Pick<Exchange, 'httpVersion'>): string {
  return httpVersion === '2' ? 'HTTP/2.0' : `HTTP/${httpVersion}`;
}

function scopeOf({ name, namespace, verb }: RequestContext['info']): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
