import type { Admission } from '../api/admission.ts';
import { StatusError } from '../api/status.ts';
import { methodNotAllowed, notBuilt, pathNotFound } from '../api/status-errors.ts';
import type { Resource, ResourceVerb, Subresource } from '../schema/resource.ts';
import { notFoundPage } from './non-resource-routes.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { refuseUnrepresented } from './negotiate.ts';
import { negotiate } from './offers.ts';
import {
  type RequestFeatures,
  type RequestLimits,
  type ResourceRequest,
  type VerbHandler,
} from './resource-request.ts';
import { create } from './verbs/create.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { deleteOne } from './verbs/delete.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { getScale, patchScale, updateScale } from './verbs/scale.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';
import { warnOfDeprecation } from './deprecation.ts';

/** What the verbs of all resources share. */
export interface ApiServices {
  readonly admission: Admission;
  readonly kinds: KindRegistry;
  readonly limits: RequestLimits;
  readonly features: RequestFeatures;
  /** Resources in the versions that are served. */
  scopeOf(group: string, version: string, plural: string): ResourceScope | undefined;
  /** Whether any version of the group is served. */
  servesGroup(group: string): boolean;
  /** Virtual resources and subresources by `group/plural` or `group/plural/subresource`; the core group is empty. */
  readonly virtual: ReadonlyMap<string, VerbHandler>;
}

const verbs: { readonly [verb in ResourceVerb]: VerbHandler } = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};

const scaleVerbs: { readonly [verb: string]: VerbHandler } = { get: getScale, update: updateScale, patch: patchScale };

/** Serves one request for a resource. */
export async function serveResource(context: RequestContext, services: ApiServices): Promise<void> {
  const { info, exchange } = context;
  const scope = services.scopeOf(info.group, info.version, info.resource);
  if (scope === undefined) {
    if (!services.servesGroup(info.group)) return notFoundPage(context);
    throw pathNotFound();
  }
  const { resource } = scope;
  const subresource = subresourceOf(resource, info.subresource);
  checkPath(context, resource);
  if (exchange.method === 'HEAD' || !allows(context, resource, subresource)) throw methodNotAllowed();
  warnOfDeprecation(context, resource);
  // One of the verbs that the resource offers.
  const verb = info.verb as ResourceVerb;
  const isCollection = exchange.method === 'GET' && info.name === '';
  const { collections, objects } = context.mediaTypes;
  refuseUnrepresented(exchange.header('accept'), isCollection ? collections : objects);
  const format = negotiate(context, scope, { subresource, stream: verb === 'watch' });
  const request: ResourceRequest = { ...services, context, scope, subresource, format };
  await handlerOf(scope, subresource, verb, services)(request);
}

function subresourceOf(resource: Resource, name: string): Subresource | undefined {
  if (name === '') return undefined;
  const found = resource.subresources.find((subresource) => subresource.name === name);
  if (found === undefined) throw pathNotFound();
  return found;
}

/** Objects that live in a namespace are named with it, others without. */
function checkPath({ info }: RequestContext, { namespaced, plural }: Resource): void {
  if (namespaced && info.namespace === '' && info.name !== '' && info.verb !== 'list') throw pathNotFound();
  if (!namespaced && info.namespace !== '' && plural !== 'namespaces') throw pathNotFound();
}

const acrossNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);
const onCollection: ReadonlySet<string> = new Set(['list', 'create', 'deletecollection', 'watch']);
const onObject: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete', 'watch']);

/** Whether the resource has the verb, and the path is one that the verb goes to. */
function allows({ info }: RequestContext, resource: Resource, subresource: Subresource | undefined): boolean {
  const verbsOf: readonly string[] = (subresource ?? resource).verbs;
  if (!verbsOf.includes(info.verb)) return false;
  if (subresource !== undefined) return true;
  if (resource.namespaced && info.namespace === '') return acrossNamespaces.has(info.verb);
  return (info.name === '' || info.verb === 'list' ? onCollection : onObject).has(info.verb);
}

function handlerOf(
  scope: ResourceScope,
  subresource: Subresource | undefined,
  verb: ResourceVerb,
  { virtual }: ApiServices,
): VerbHandler {
  const { group, plural, kind } = scope.resource;
  const path = subresource === undefined ? `${group}/${plural}` : `${group}/${plural}/${subresource.name}`;
  const special = virtual.get(path);
  if (special !== undefined) return special;
  if (subresource === undefined && scope.store !== undefined) return verbs[verb];
  if (subresource?.name === 'scale') return scaleVerbs[verb] ?? notBuiltHandler(path);
  // A subresource that speaks the whole object is another way to read and write it.
  if (subresource?.kind === kind && subresource.schema !== undefined && verb !== 'create') return verbs[verb];
  return notBuiltHandler(path);
}

function notBuiltHandler(path: string): VerbHandler {
  return () => Promise.reject(notBuilt(path.startsWith('/') ? path.slice(1) : path));
}

/** The answer to a failure: a Status as it is, anything else as an internal error without its details. */
export function statusOf(error: unknown): StatusError | undefined {
  return error instanceof StatusError ? error : undefined;
}
