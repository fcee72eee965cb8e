import { applyMediaType } from '../../patch/apply-patch.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import type { RequestInfo } from '../../http/request/request-info.ts';

/** The labels of a request's metrics. Each has a closed set of values: clients cannot create series. */
export type RequestLabels = Record<
  'verb' | 'dry_run' | 'group' | 'version' | 'resource' | 'subresource' | 'scope' | 'component',
  string
>;

/** The parts of a request context that labels are derived from. */
type CleanedContext = Pick<RequestContext, 'info' | 'query' | 'verb'> & {
  readonly exchange: Pick<RequestContext['exchange'], 'method' | 'query' | 'header'>;
};

/** The labels of a request for a non-resource path, or for an existing resource and subresource. */
export function requestLabels(context: CleanedContext): RequestLabels {
  const { info } = context;
  const { isResourceRequest, group, version, resource, subresource } = info;
  return {
    verb: cleanVerb(context),
    dry_run: cleanDryRun(context),
    group,
    version,
    resource,
    subresource: isResourceRequest ? subresource : '',
    scope: scopeName(info),
    component: 'apiserver',
  };
}

/** Metric names of the methods of non-resource requests. */
const methodNames: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['head', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['connect', 'CONNECT'],
]);

const connectSubresources: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);

function cleanVerb({ info, exchange, verb }: CleanedContext): string {
  if (!info.isResourceRequest) return methodNames.get(info.verb) ?? 'other';
  if (connectSubresources.has(info.subresource)) return 'CONNECT';
  if (info.verb === 'patch' && exchange.header('content-type') === applyMediaType) return 'APPLY';
  return verb?.metric ?? 'other';
}

/** Empty, `All` or `invalid`, however often it is repeated. */
function cleanDryRun({ exchange, query }: CleanedContext): string {
  if (!exchange.query.includes('dryRun')) return '';
  const asked = new Set(query.getAll('dryRun'));
  if (asked.size === 0) return '';
  return asked.size === 1 && asked.has('All') ? 'All' : 'invalid';
}

function scopeName({ isResourceRequest, name, selectedName, namespace, verb }: RequestInfo): string {
  if (!isResourceRequest) return '';
  if (name !== '' || selectedName !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
