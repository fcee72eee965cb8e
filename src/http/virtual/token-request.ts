import { type FieldError, invalidField } from '../../api/field-error.ts';
import { goQuote } from '../../api/go-quote.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { badRequest, conflict, invalid, notFound } from '../../api/status-errors.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import type { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import { issueToken, type WantedToken } from '../../authentication/service-account/token-issuer.ts';
import { admissionAttributes } from '../../operations/admission-attributes.ts';
import { servedKind } from '../../operations/resource-scope.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import type {
  BoundObjectReference,
  TokenRequestSpec,
} from '../../schema/kubernetes/generated/types/authentication-v1.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { nameOf, operationOf, type ResourceRequest, type VerbHandler } from '../request/resource-request.ts';
import { respondObject } from '../answers/respond.ts';

export interface TokenRequestParts {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
}

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const defaultSeconds = 3_600;
const leastSeconds = 600;
const mostSeconds = 2 ** 32;
const core = (plural: string) => ({ group: '', version: 'v1', plural });

type Stored = Readonly<KubernetesObject>;

/** POST to `serviceaccounts/token`: issues a token for the account, which is not stored. */
export function tokenRequest(parts: TokenRequestParts): VerbHandler {
  return async (request) => {
    const { context, scope, subresource, format } = request;
    const served = servedKind(scope.resource, subresource);
    if (served === undefined) throw new Error('token requests are served without a schema');
    const { object, options } = await decodeRequest(request, served, () =>
      parseWriteOptions(context.query, 'CreateOptions'),
    );
    const write = { operation: 'CREATE', name: nameOf(request), object, oldObject: undefined } as const;
    const { dryRun } = options;
    const admitted = admissionAttributes(operationOf(request), { ...write, kind: served.kind, dryRun });
    await request.admission.mutate(admitted);
    const account = await accountOf(parts, request, object);
    const spec = completeSpec(parts.tokens, (object['spec'] ?? {}) as TokenRequestSpec); // decoded by the schema
    refuseSpec(spec);
    await request.admission.validate(admitted);
    const bound = await boundObjects(parts, account, spec.boundObjectRef);
    const expirationSeconds = shortened(parts.tokens, spec.expirationSeconds, (text) => context.warnings.add(text));
    const { name = '', namespace = '', uid = '' } = account.metadata;
    const wanted = { namespace, account: { name, uid }, audiences: spec.audiences, expirationSeconds, ...bound };
    const token = await issueToken(parts.tokens, wanted, context.receivedMs);
    const answer = {
      ...object,
      metadata: { ...object.metadata, name, namespace, uid, creationTimestamp: formatSeconds(context.receivedMs) },
      spec: { ...spec, expirationSeconds },
      status: { expirationTimestamp: formatSeconds(context.receivedMs + expirationSeconds * 1_000), token },
    } as KubernetesObject;
    await respondObject(context, scope, { code: 201, object: answer, format, served });
  };
}

/** The account in the path; the body may name it too. */
async function accountOf(
  { stored }: TokenRequestParts,
  request: ResourceRequest,
  object: KubernetesObject,
): Promise<Stored> {
  const { namespace } = request.context.info;
  const name = nameOf(request);
  const { name: ownName = '', namespace: ownNamespace = '', uid = '' } = object.metadata;
  const mismatch = (field: string, value: string, what: string): Error =>
    invalid(kind, name, [
      invalidField(`metadata.${field}`, value, `must match the service account ${what} if specified`),
    ]);
  if (ownName !== '' && ownName !== name) throw mismatch('name', ownName, 'name');
  if (ownNamespace !== '' && ownNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const account = await stored.get(core('serviceaccounts'), { namespace, name });
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
  const own = account.metadata.uid ?? '';
  if (uid === '' || uid === own) return account;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${own})`;
  throw conflict({ group: kind.group, resource: kind.kind }, name, why);
}

type CompleteSpec = Omit<TokenRequestSpec, 'audiences' | 'expirationSeconds'> & {
  readonly audiences: string[];
  readonly expirationSeconds: number;
};

function completeSpec(tokens: AccountTokens, spec: TokenRequestSpec): CompleteSpec {
  const audiences = spec.audiences ?? [];
  return {
    ...spec,
    audiences: audiences.length === 0 ? [...tokens.audiences] : audiences,
    expirationSeconds: Number(spec.expirationSeconds ?? defaultSeconds),
  };
}

function refuseSpec({ expirationSeconds, attestations = {} }: CompleteSpec): void {
  const errors: FieldError[] = [];
  const refuse = (detail: string): unknown =>
    errors.push(invalidField('spec.expirationSeconds', expirationSeconds, detail));
  if (expirationSeconds < leastSeconds) refuse('may not specify a duration less than 10 minutes');
  if (expirationSeconds > mostSeconds) refuse('may not specify a duration larger than 2^32 seconds');
  if (Object.keys(attestations).length > 0) {
    const detail = 'attestations may only be specified with a webhook bound object reference';
    throw invalid(kind, '', [invalidField('spec.attestations', attestations, detail)]);
  }
  if (errors.length > 0) throw invalid(kind, '', errors);
}

function shortened({ config }: AccountTokens, seconds: number, warn: (text: string) => void): number {
  const most = config.maxExpirationSeconds;
  if (most <= 0 || seconds <= most) return seconds;
  warn(`requested expiration of ${seconds} seconds shortened to ${most} seconds`);
  return most;
}

type Bound = Pick<WantedToken, 'pod' | 'secret' | 'node'>;
type Binder = (parts: TokenRequestParts, account: Stored, name: string) => Promise<Bound>;

interface BinderRow {
  readonly key: keyof Bound;
  readonly bind: Binder;
}

/** The kinds that a token can be bound to. */
const binders: ReadonlyMap<string, BinderRow> = new Map<string, BinderRow>([
  ['Pod', { key: 'pod', bind: bindPod }],
  ['Secret', { key: 'secret', bind: bindSecret }],
  ['Node', { key: 'node', bind: bindNode }],
]);

async function bindSecret(parts: TokenRequestParts, { metadata }: Stored, name: string): Promise<Bound> {
  return { secret: referenceTo(await existing(parts, 'secrets', { namespace: metadata.namespace ?? '', name })) };
}

async function bindNode(parts: TokenRequestParts, _account: Stored, name: string): Promise<Bound> {
  return { node: referenceTo(await existing(parts, 'nodes', { namespace: '', name })) };
}

async function boundObjects(
  parts: TokenRequestParts,
  account: Stored,
  reference: BoundObjectReference | undefined,
): Promise<Bound> {
  if (reference === undefined) return {};
  const { apiVersion = '', kind: boundKind = '', name = '', uid = '' } = reference;
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const binder = group === '' ? binders.get(boundKind) : undefined;
  if (binder === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${boundKind}`);
  }
  const bound = await binder.bind(parts, account, name);
  const own = bound[binder.key]?.uid ?? '';
  if (uid === '' || uid === own) return bound;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group, resource: boundKind }, name, why);
}

/** The token of a pod also names the pod's node. */
async function bindPod(parts: TokenRequestParts, { metadata }: Stored, name: string): Promise<Bound> {
  const pod = await existing(parts, 'pods', { namespace: metadata.namespace ?? '', name });
  const { serviceAccountName, nodeName = '' } = (pod['spec'] ?? {}) as {
    readonly serviceAccountName?: string;
    readonly nodeName?: string;
  };
  if (serviceAccountName !== metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${goQuote(metadata.name ?? '')} to pod running with different serviceaccount name.`,
    );
  }
  if (nodeName === '') return { pod: referenceTo(pod) };
  const node = await parts.stored.get(core('nodes'), { namespace: '', name: nodeName });
  return { pod: referenceTo(pod), node: node === undefined ? { name: nodeName, uid: '' } : referenceTo(node) };
}

async function existing(
  { stored }: TokenRequestParts,
  plural: string,
  place: { readonly namespace: string; readonly name: string },
): Promise<Stored> {
  const found = await stored.get(core(plural), place);
  if (found === undefined) throw notFound({ group: '', resource: plural }, place.name);
  return found;
}

function referenceTo({ metadata: { name = '', uid = '' } }: Stored): { readonly name: string; readonly uid: string } {
  return { name, uid };
}
