import { invalidField } from '../../api/errors/field-error.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { StatusError } from '../../api/errors/status.ts';
import { conflict, invalid, notFound } from '../../api/errors/status-errors.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import { issueToken } from '../../authentication/service-account/token-issuer.ts';
import { admissionAttributes } from '../../operations/admission-attributes.ts';
import { trackCreatedPart } from '../../operations/field-owners.ts';
import { servedKind } from '../../operations/resource-scope.ts';
import { ensureNamespaceMatches, formatSeconds } from '../../registry/write/metadata.ts';
import type { TokenRequestSpec } from '../../schema/kubernetes/generated/types/authentication-v1.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { nameOf, operationOf, type ResourceRequest, type VerbHandler } from '../request/resource-request.ts';
import { respondObject } from '../responses/respond.ts';
import { boundObjects } from './token-bound-objects.ts';
import { type CompleteSpec, refusePathName, refuseSpec } from './token-request-validation.ts';

export interface TokenRequestParts {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
  /** Whether a uid in a request has to be that of the account. */
  readonly checksUids: boolean;
}

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const defaultSeconds = 3_600;
const accounts = { group: '', version: 'v1', plural: 'serviceaccounts' };

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
    const { dryRun, fieldManager } = options;
    ensureNamespaceMatches(object.metadata, context.info.namespace);
    const requested = (object['spec'] ?? {}) as TokenRequestSpec; // decoded by the schema
    object['spec'] = { expirationSeconds: defaultSeconds, ...requested };
    const owned = { served, subresource: 'token', receivedMs: context.receivedMs };
    await trackCreatedPart(owned, object, managerOfRequest(context, fieldManager));
    const admitted = admissionAttributes(operationOf(request), { ...write, kind: served.kind, dryRun });
    await request.admission.mutate(admitted);
    const account = await accountOf(parts, request, object);
    const spec = completeSpec(parts.tokens, (object['spec'] ?? {}) as TokenRequestSpec); // decoded by the schema
    refuseSpec(spec);
    await request.admission.validate(admitted);
    const { mostSeconds = Infinity, ...bound } = await boundObjects(
      { ...parts, authorizer: request.authorizer, nowMs: context.receivedMs },
      account,
      spec,
    );
    const requestedSeconds = Math.min(Number(spec.expirationSeconds), mostSeconds);
    const expirationSeconds = shortened(parts.tokens, requestedSeconds, (text) => context.warnings.add(text));
    const { name = '', namespace = '', uid = '' } = account.metadata;
    const wanted = { namespace, account: { name, uid }, audiences: spec.audiences, expirationSeconds, ...bound };
    const { token, id } = await issueToken(parts.tokens, wanted, context.receivedMs).catch(unsigned);
    context.audit?.annotate('authentication.kubernetes.io/issued-credential-id', () => `JTI=${id}`);
    const issued = {
      ...object,
      metadata: { ...object.metadata, name, namespace, uid, creationTimestamp: formatSeconds(context.receivedMs) },
      spec: { ...spec, expirationSeconds },
      status: { expirationTimestamp: formatSeconds(context.receivedMs + expirationSeconds * 1_000), token },
    } as KubernetesObject;
    await respondObject(context, scope, { code: 201, object: issued, format, served });
  };
}

/** Reports errors of the token signer to the client. */
function unsigned(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw new StatusError({ code: 500, reason: '', message: `failed to generate token: ${error.message}` });
}

/** The account in the path; the body may name it too. */
async function accountOf(
  { stored, checksUids }: TokenRequestParts,
  request: ResourceRequest,
  object: KubernetesObject,
): Promise<Stored> {
  const { namespace } = request.context.info;
  const name = nameOf(request);
  const { name: ownName = '', uid = '' } = object.metadata;
  const mismatch = (field: string, value: string, what: string): Error =>
    invalid(kind, name, [
      invalidField(`metadata.${field}`, value, `must match the service account ${what} if specified`),
    ]);
  if (ownName !== '' && ownName !== name) throw mismatch('name', ownName, 'name');
  refusePathName(name);
  const account = await stored.get(accounts, { namespace, name });
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
  const own = account.metadata.uid ?? '';
  if (uid === '' || uid === own) return account;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${own})`;
  if (checksUids) throw conflict({ group: kind.group, resource: kind.kind }, name, why);
  request.context.audit?.annotate('authentication.k8s.io/token-request-uid-mismatch', () => why);
  request.context.warnings.add(
    `${why} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`,
  );
  return account;
}

function completeSpec(tokens: AccountTokens, spec: TokenRequestSpec): CompleteSpec {
  const audiences = spec.audiences ?? [];
  return {
    ...spec,
    audiences: audiences.length === 0 ? [...tokens.audiences] : audiences,
    expirationSeconds: spec.expirationSeconds ?? defaultSeconds,
  };
}

function shortened({ config }: AccountTokens, seconds: number, warn: (text: string) => void): number {
  const most = config.maxExpirationSeconds;
  if (most <= 0 || seconds <= most) return seconds;
  warn(`requested expiration of ${seconds} seconds shortened to ${most} seconds`);
  return most;
}
