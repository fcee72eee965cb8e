import type { AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import { goPrint } from '../../api/json/go-print.ts';
import { type GroupVersionKind, parseApiVersion } from '../../api/meta/group-version.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { WriteContext } from '../../registry/kinds/strategy.ts';
import type { ParamKind, ParamRef } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';

/** The name of the resource that serves a kind; undefined if none does. */
export type ResourceOfKind = (kind: GroupVersionKind) => Soon<string | undefined>;

/** The resource of parameters, as authorizers are asked about it; `*` for what is not known. */
type ParamResource = Pick<AuthorizationAttributes, 'group' | 'version' | 'resource'>;

const anyResource: ParamResource = { group: '*', version: '*', resource: '*' };

/** Why the author of a policy may not use parameters of this kind; undefined for authors who may read all of them. */
export async function kindRefusal(
  paramKind: ParamKind,
  context: WriteContext,
  resourceOfKind: ResourceOfKind,
): Promise<string | undefined> {
  const requested = { verb: 'get', namespace: '*', name: '*', ...(await resourceOf(paramKind, resourceOfKind)) };
  const { isAllowed, error } = await ask(requested, context);
  if (error !== undefined) return error;
  if (isAllowed) return undefined;
  const { kind = '', apiVersion = '' } = paramKind;
  return (
    `user ${userText(context.user)} must have "get" permission on all objects of the referenced paramKind ` +
    `(kind=${kind}, apiVersion=${apiVersion})`
  );
}

/** A policy that a binding names. */
export interface BoundPolicy {
  readonly name: string;
  /** Undefined if there is no such policy. */
  readonly found: { readonly paramKind: ParamKind | undefined } | undefined;
}

/** How the reference words refusals to authors of bindings: those of mutating policies differ from the others. */
export interface BindingTexts {
  /** Before errors of authorizers. */
  readonly errorPrefix: string;
  denied(user: string, verb: string): string;
}

/** Why the author of a binding may not refer to these parameters; undefined for authors who may read them. */
export async function referenceRefusal(
  { name = '', namespace = '' }: ParamRef,
  policy: BoundPolicy,
  { context, resourceOfKind, texts }: ReferenceContext,
): Promise<string | undefined> {
  const paramKind = policy.found?.paramKind;
  const resource = paramKind === undefined ? anyResource : await resourceOf(paramKind, resourceOfKind);
  const verb = name === '' ? 'list' : 'get';
  const { isAllowed, error } = await ask({ verb, namespace, name, ...resource }, context);
  if (error !== undefined) return `${texts.errorPrefix}${error}`;
  if (isAllowed) return undefined;
  const user = userText(context.user);
  const unknown = unknownText(policy, resource);
  return unknown === undefined
    ? texts.denied(user, verb)
    : `unable to ${unknown} to determine minimum required permissions and user ${user} does not have "${verb}" ` +
        'permission for all groups, versions and resources';
}

export interface ReferenceContext {
  readonly context: WriteContext;
  readonly resourceOfKind: ResourceOfKind;
  readonly texts: BindingTexts;
}

/** Why broader permissions than necessary are required; undefined if they are not. */
function unknownText({ name, found }: BoundPolicy, { group, resource }: ParamResource): string | undefined {
  if (found === undefined) return `get policy ${name}`;
  if (found.paramKind === undefined || resource !== '*') return undefined;
  const { apiVersion = '', kind = '' } = found.paramKind;
  return `${group === '*' ? 'parse' : 'resolve'} paramKind &{${apiVersion} ${kind}}`;
}

async function resourceOf({ apiVersion = '', kind = '' }: ParamKind, of: ResourceOfKind): Promise<ParamResource> {
  const groupVersion = parseApiVersion(apiVersion);
  if (groupVersion === undefined) return anyResource;
  return { ...groupVersion, resource: (await of({ ...groupVersion, kind })) ?? '*' };
}

async function ask(
  requested: Pick<AuthorizationAttributes, 'verb' | 'namespace' | 'name'> & ParamResource,
  { user, authorizer }: WriteContext,
): Promise<{ readonly isAllowed: boolean; readonly error: string | undefined }> {
  const attributes = { user, isResourceRequest: true, path: '', subresource: '', ...requested };
  const { decision, error } = await authorizer.authorize(attributes);
  return { isAllowed: decision === 'allow', error: error === '' ? undefined : error };
}

/** `&{jane  [developers] map[]}`: name, uid, groups and extra, as Go prints them. */
function userText({ name, uid, groups, extra }: UserInfo): string {
  const values = Object.fromEntries(Object.entries(extra).map(([key, texts]) => [key, [...texts]]));
  return `&{${name} ${uid} ${goPrint([...groups])} ${goPrint(values)}}`;
}
