import type { Admission } from '../../api/contracts/admission.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import {
  methodNotAllowed,
  methodNotSupported,
  notBuilt,
  notFound,
  pathNotFound,
} from '../../api/errors/status-errors.ts';
import { currentRelease } from '../../schema/kubernetes/api-enablement.ts';
import { compareReleases } from '../../schema/kubernetes/feature-gates.ts';
import type { Resource, Subresource } from '../../schema/resource.ts';
import { hasPagesForMissing, notFoundPage } from './non-resource-routes.ts';
import { inTime } from '../request/in-time.ts';
import { patchFormatOf } from '../request/patch-format.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import { refuseUnrepresented } from '../negotiation/negotiate.ts';
import { negotiate } from '../negotiation/offers.ts';
import {
  type RequestFeatures,
  type RequestLimits,
  type ResourceRequest,
  type VerbHandler,
} from '../request/resource-request.ts';
import type { ConnectHandler } from '../connect/connect-table.ts';
import type { VerbPath } from '../request/verb.ts';
import type { ServePeer } from './peer-routes.ts';
import type { ServeRemote } from './remote-routes.ts';
import type { VerbRow } from '../verbs/verb-table.ts';
import { getScale, patchScale, updateScale } from '../verbs/scale.ts';

/** Dependencies shared by the verbs of all resources. */
export interface ApiServices {
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  readonly limits: RequestLimits;
  readonly features: RequestFeatures;
  /** Virtual resources and subresources by `group/plural` or `group/plural/subresource`; the core group is empty. */
  readonly virtual: ReadonlyMap<string, VerbHandler>;
  /** Subresources that connect with other servers, by `group/plural/subresource`. */
  readonly connects: ReadonlyMap<string, ConnectHandler>;
  readonly verbs: ReadonlyMap<string, VerbRow>;
  /** Shows what a verb does in a trace; absent: nothing is traced. */
  readonly serveInTrace?: (verb: VerbRow, request: ResourceRequest, serve: VerbHandler) => Promise<void>;
  /** For group versions of other servers. */
  readonly serveRemote: ServeRemote;
  /** For resources that only other servers of the store serve; undefined: nobody is asked. */
  readonly servePeer: ServePeer | undefined;
}

const scaleVerbs: { readonly [verb: string]: VerbHandler } = { get: getScale, update: updateScale, patch: patchScale };

/** Serves one resource request. */
export async function serveResource(context: RequestContext, services: ApiServices): Promise<void> {
  const { info, exchange, kinds } = context;
  const scope = kinds.scopeOf(info.group, info.version, info.resource);
  if (scope === undefined || !isPathOf(info, scope)) {
    const remote = kinds.catalogue.remote(info.group, info.version);
    if (remote !== undefined) return services.serveRemote(context, remote);
    const passed = scope === undefined ? services.servePeer?.(context) : undefined;
    if (passed !== undefined) return passed;
    if (hasPagesForMissing(kinds.catalogue, info.group)) return notFoundPage(context);
    throw pathNotFound();
  }
  const { resource } = scope;
  const subresource = subresourceOf(scope, info);
  if (info.isVerbInPath && !scope.isUnstructured && !isWatchRoute(info)) throw pathNotFound();
  const connect = subresource && services.connects.get(`${resource.group}/${resource.plural}/${subresource.name}`);
  if (connect !== undefined) return connect({ ...services, context, scope, subresource });
  const verb = scope.isUnstructured
    ? verbOfCustom(info, scope, subresource, services)
    : verbOfRoute(context, scope, subresource, services);
  const { collections, mediaTypes } = context.wireForms;
  // The router of built-in kinds refuses media types before it asks who serves, and counts, the request.
  if (scope.isUnstructured) {
    context.countedAs = scope;
    warnOfDeprecation(context, resource);
  }
  const patchFormat = verb.name === 'patch' ? patchFormatOf(context, scope.isUnstructured) : undefined;
  if (!scope.isUnstructured) {
    const isStream = info.isVerbInPath || (exchange.method === 'GET' && info.name === '' && subresource === undefined);
    const offered = isStream ? collections : mediaTypes;
    refuseUnrepresented(exchange.header('accept'), subresource?.name === 'log' ? ['text/plain', ...offered] : offered);
    warnOfDeprecation(context, resource);
  }
  context.countedAs = scope;
  const format = negotiate(context, scope, subresource);
  const request: ResourceRequest = { ...services, context, scope, subresource, format, patchFormat };
  scope.requests.begin();
  try {
    const serve = handlerOf(scope, subresource, verb, services);
    const served = services.serveInTrace === undefined ? serve(request) : services.serveInTrace(verb, request, serve);
    // A conversion webhook may take longer than the request; what it answers then comes too late to be sent.
    await (scope.conversion.waits ? inTime(context, served) : served);
  } finally {
    scope.requests.end();
  }
}

/** Warns clients of deprecated versions (specification, "API version lifecycle"). */
function warnOfDeprecation(context: RequestContext, resource: Resource): void {
  const { group, version, kind, deprecated, deprecationWarning, removed, replacement } = resource;
  if (deprecationWarning !== undefined) {
    context.warnings.add(deprecationWarning);
    context.audit?.annotate('k8s.io/deprecated', () => 'true');
  }
  if (deprecated === undefined || compareReleases(deprecated, currentRelease) > 0) return;
  context.removedRelease = removed ?? '';
  context.audit?.annotate('k8s.io/deprecated', () => 'true');
  if (removed !== undefined) context.audit?.annotate('k8s.io/removed-release', () => removed);
  let text = `${formatApiVersion(group, version)} ${kind} is deprecated in v${deprecated}+`;
  if (removed !== undefined) text += `, unavailable in v${removed}+`;
  if (replacement !== undefined)
    text += `; use ${formatApiVersion(replacement.group, replacement.version)} ${replacement.kind}`;
  context.warnings.add(text);
}

function subresourceOf(
  { resource, groupResource, isUnstructured }: ResourceScope,
  { subresource: name, name: object }: RequestInfo,
): Subresource | undefined {
  if (name === '') return undefined;
  const found = resource.subresources.find((subresource) => subresource.name === name);
  if (found !== undefined) return found;
  if (isUnstructured) throw notFound(groupResource, object);
  throw pathNotFound();
}

/** Objects that live in a namespace are named with it, others without. */
function isPathOf({ namespace, name, verb }: RequestInfo, { resource, isUnstructured }: ResourceScope): boolean {
  const { namespaced, plural } = resource;
  const goesAcross = isUnstructured ? verb === 'list' || verb === 'watch' : name === '' || verb === 'list';
  if (namespaced) return namespace !== '' || goesAcross;
  return namespace === '' || (plural === 'namespaces' && !isUnstructured);
}

/** The verb of a custom resource, whatever the method is that means it. */
function verbOfCustom(
  info: RequestInfo,
  scope: ResourceScope,
  subresource: Subresource | undefined,
  { verbs }: ApiServices,
): VerbRow {
  const verb = verbs.get(info.verb);
  if (verb !== undefined && allows(info, verb, { scope, subresource })) return verb;
  throw methodNotSupported(scope.groupResource, info.verb);
}

/** The verb of a built-in kind, of which each path has its own methods. */
function verbOfRoute(
  context: RequestContext,
  scope: ResourceScope,
  subresource: Subresource | undefined,
  services: ApiServices,
): VerbRow {
  const { info, exchange } = context;
  if (subresource !== undefined && info.rest.length > 0) throw pathNotFound();
  // A subresource is of one object, even if the path does not name it.
  const verb = services.verbs.get(subresource !== undefined && info.verb === 'list' ? 'get' : info.verb);
  const isOfMethod = exchange.method === 'GET' || (exchange.method !== 'HEAD' && !info.isVerbInPath);
  if (verb !== undefined && isOfMethod && allows(info, verb, { scope, subresource })) return verb;
  throw subresource === undefined && !isPathOfVerbs(info, scope.resource, services)
    ? pathNotFound()
    : methodNotAllowed();
}

/** Built-in kinds have routes for `watch` in paths of collections and objects. */
function isWatchRoute({ verb, subresource }: RequestInfo): boolean {
  return verb === 'watch' && subresource === '';
}

/** Whether the resource supports the verb, and the verb this path. */
function allows(
  info: RequestInfo,
  verb: VerbRow,
  { scope, subresource }: { readonly scope: ResourceScope; readonly subresource: Subresource | undefined },
): boolean {
  const { resource, isUnstructured } = scope;
  const verbsOf: readonly string[] = (subresource ?? resource).verbs;
  if (!verbsOf.includes(verb.name)) return false;
  if (subresource !== undefined) return true;
  const path = pathOf(info, resource);
  return verb.paths.includes(path) || (isUnstructured && verb.pathsOfCustom?.includes(path) === true);
}

/** A path that no verb of the resource goes to is not there. */
function isPathOfVerbs(info: RequestInfo, resource: Resource, { verbs }: ApiServices): boolean {
  const path = pathOf(info, resource);
  return resource.verbs.some((name) => verbs.get(name)?.paths.includes(path) === true);
}

function pathOf({ namespace, name }: RequestInfo, { namespaced }: Resource): VerbPath {
  if (namespaced && namespace === '') return 'all-namespaces';
  return name === '' ? 'collection' : 'object';
}

function handlerOf(
  scope: ResourceScope,
  subresource: Subresource | undefined,
  verb: VerbRow,
  { virtual }: ApiServices,
): VerbHandler {
  const { group, plural, kind } = scope.resource;
  const path = subresource === undefined ? `${group}/${plural}` : `${group}/${plural}/${subresource.name}`;
  const special = virtual.get(path);
  if (special !== undefined) return special;
  if (subresource === undefined && scope.store !== undefined) return verb.serve;
  if (subresource?.name === 'scale') return scaleVerbs[verb.name] ?? notBuiltHandler(path);
  // A subresource of the object's own kind is another way to read and write the object.
  if (subresource?.kind === kind && subresource.schema !== undefined && verb.name !== 'create') return verb.serve;
  return notBuiltHandler(path);
}

function notBuiltHandler(path: string): VerbHandler {
  return () => Promise.reject(notBuilt(path.startsWith('/') ? path.slice(1) : path));
}
