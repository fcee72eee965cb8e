import { applyMediaType } from '../patch/apply-patch.ts';
import type { CountedAs } from '../http/request/counted-as.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { RequestInfo } from '../http/request/request-info.ts';
import type { Verb } from '../http/request/verb.ts';

type LabelName = 'verb' | 'dry_run' | 'group' | 'version' | 'resource' | 'subresource' | 'scope' | 'component';

/** The labels of a request's metrics. Each has a closed set of values: clients cannot create series. */
export type RequestLabels = Readonly<Record<LabelName, string>>;

/** The parts of a request context that labels are derived from. */
type CleanedContext = Pick<RequestContext, 'info' | 'query' | 'verb'> & {
  readonly exchange: Pick<RequestContext['exchange'], 'method' | 'query' | 'header'>;
};

/** The labels that are the same for all requests for a resource or path, with those of a request. */
export function labelsOf(
  target: CountedAs,
  own: Pick<RequestLabels, 'verb' | 'dry_run' | 'subresource' | 'scope'>,
): RequestLabels {
  if ('groupResource' in target) {
    const { group, version, plural: resource } = target.resource;
    return { ...own, group, version, resource, component: 'apiserver' };
  }
  const { group = '', version = '', resource = '', subresource = '', component = '' } = target;
  return { ...own, group, version, resource, subresource, component };
}

/** The labels of running requests for an existing resource and subresource. */
export function runningLabels({ info, verb }: Pick<CleanedContext, 'info' | 'verb'>): Omit<RequestLabels, 'dry_run'> {
  const { group, version, resource, subresource } = info;
  const names = { group, version, resource, subresource, component: 'apiserver' };
  return { ...names, verb: verb?.metric ?? 'other', scope: scopeOfName(info) };
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

/** `isByName`: the reference takes lists of custom resources by name as requests for one object. */
export function cleanVerb({ info, exchange, verb }: CleanedContext, isByName = false): string {
  if (!info.isResourceRequest) return methodNames.get(info.verb) ?? 'other';
  if (isConnect(info)) return 'CONNECT';
  if (info.verb === 'patch' && exchange.header('content-type') === applyMediaType) return 'APPLY';
  if (isByName && info.verb === 'list' && info.selectedName !== '') return 'GET';
  return verb?.metric ?? 'other';
}

/** Empty, `All` or `invalid`, however often it is repeated. */
export function cleanDryRun({ exchange, query }: Pick<CleanedContext, 'exchange' | 'query'>): string {
  if (!exchange.query.includes('dryRun')) return '';
  const requested = new Set(query.getAll('dryRun'));
  if (requested.size === 0) return '';
  return requested.size === 1 && requested.has('All') ? 'All' : 'invalid';
}

const validations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);

/** Empty, a value of `fieldValidation`, or `invalid`. */
export function cleanFieldValidation({ exchange, query }: Pick<CleanedContext, 'exchange' | 'query'>): string {
  if (!exchange.query.includes('fieldValidation')) return '';
  const [requested, ...more] = query.getAll('fieldValidation');
  return requested !== undefined && more.length === 0 && validations.has(requested) ? requested : 'invalid';
}

/** The scope of a request that the reference has a route for, whatever it selects. */
export function scopeOfRoute({ isResourceRequest, name, namespace, verb }: RequestInfo): string {
  if (!isResourceRequest) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** The scope of a request by what it selects. */
export function scopeOfName(info: RequestInfo): string {
  return info.selectedName === '' ? scopeOfRoute(info) : 'resource';
}

/** Whether the size of the response is measured: of reads, and of watches on the route of lists. */
export function isSized(info: RequestInfo, isUnstructured: boolean): boolean {
  if (!info.isResourceRequest) return true;
  if (info.verb === 'watch') return !info.isVerbInPath && !isUnstructured;
  return (info.verb === 'get' || info.verb === 'list') && !isConnect(info);
}

const bodyNames: ReadonlyMap<string, string> = new Map([
  ...['create', 'update', 'patch', 'delete'].map((name) => [name, name] as const),
  ['deletecollection', 'delete_collection'],
]);

/** The verb in the metric of request bodies; undefined: it has none. */
export function bodyVerb(verb: Verb | undefined): string | undefined {
  return bodyNames.get(verb?.name ?? '');
}

function isConnect({ subresource }: RequestInfo): boolean {
  return connectSubresources.has(subresource);
}
