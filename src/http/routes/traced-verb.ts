import { currentSpan, enterSpan, type SpanAttributes } from '../../api/span.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ResourceRequest, VerbHandler } from '../request/resource-request.ts';
import { sourceIps } from '../request/source-ips.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { VerbRow } from '../verbs/verb-table.ts';

/** The names of verbs in traces, as the reference has them. */
const spanNames: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

/** Serves a request as a step of its trace. A step that fails lasts until the failure has been answered. */
export async function servedInTrace(verb: VerbRow, request: ResourceRequest, serve: VerbHandler): Promise<void> {
  const { context } = request;
  const name = spanNames[verb.name] ?? (context.query.get('sendInitialEvents') === 'true' ? 'WatchList' : undefined);
  const step = name === undefined ? undefined : currentSpan()?.child(name, attributesOf(context, verb));
  if (step === undefined) return serve(request);
  if (context.trace !== undefined) context.trace.step = step;
  enterSpan(step);
  await serve(request);
  step.end();
  if (context.trace !== undefined) context.trace.step = undefined;
}

const longestAgent = 1024;

function attributesOf({ exchange, info, auditId }: RequestContext, verb: VerbRow): SpanAttributes {
  const { group, version, name, subresource, namespace, resource } = info;
  const agent = exchange.header('user-agent') ?? 'unknown';
  return {
    accept: exchange.header('accept') ?? '',
    'audit-id': auditId,
    client: sourceIps(exchange)[0] ?? '',
    'api-group': group,
    'api-version': version,
    name,
    subresource,
    namespace,
    protocol: exchange.httpVersion === '2' ? 'HTTP/2.0' : `HTTP/${exchange.httpVersion}`,
    resource,
    scope: scopeOf(verb, { name, namespace }),
    url: exchange.path,
    'user-agent': agent.length > longestAgent ? `${agent.slice(0, longestAgent)}...TRUNCATED` : agent,
    verb: isApply(exchange) ? 'APPLY' : verb.metric,
  };
}

function isApply(exchange: Pick<Exchange, 'method' | 'header'>): boolean {
  return exchange.method === 'PATCH' && (exchange.header('content-type') ?? '').startsWith('application/apply-patch+');
}

function scopeOf(verb: VerbRow, { name, namespace }: { readonly name: string; readonly namespace: string }): string {
  if (name !== '' || verb.name === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
