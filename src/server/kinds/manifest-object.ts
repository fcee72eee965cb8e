import type { Clock } from '../../api/time/clock.ts';
import { collect } from '../../api/errors/findings.ts';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { parseApiVersion } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { badRequest, invalid } from '../../api/errors/status-errors.ts';
import { alwaysAllow } from '../../authorization/always.ts';
import { defaultedForStore } from '../../operations/resource-scope.ts';
import { staticSuffixDetail } from '../../resources/admissionregistration/static-names.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { decodePlain } from '../../schema/decode.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { systemUser } from '../../system/system-operation.ts';

/** An object of a file: decoded, with defaults, valid, in the stored version. Throws a StatusError. */
export async function manifestObject(
  scopes: ResourceScopes,
  clock: Clock,
  document: JsonObject,
): Promise<KubernetesObject> {
  const { apiVersion = '', kind = '' } = document;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw badRequest('apiVersion and kind must be text');
  const version = parseApiVersion(apiVersion);
  const scope = version === undefined ? undefined : scopes.now.scopeOfKind({ ...version, kind });
  if (scope?.store === undefined) throw badRequest(`no kind ${goQuote(kind)} is served in ${goQuote(apiVersion)}`);
  const decoded = await decodedBy(scope.resource.schema, document);
  const object = await defaultedForStore(scope, decoded);
  const { strategy, resource } = scope.store;
  const context = {
    nowMs: clock.now(),
    requestGroup: version?.group ?? '',
    requestVersion: version?.version ?? '',
    verb: 'create',
    user: systemUser,
    authorizer: alwaysAllow,
    namespace: '',
    requestName: '',
  };
  const end = await strategy.beginCreate?.(object, { context, dryRun: true });
  const { found } = collect(strategy.validate?.(object, context) ?? [], fieldErrorText);
  await end?.(false);
  // That they come from files is what their names tell.
  const errors = found.filter(({ detail }) => detail !== staticSuffixDetail);
  if (errors.length > 0) throw invalid(resource, object.metadata.name ?? '', errors);
  return object;
}

async function decodedBy(schema: Parameters<typeof decodePlain>[0], document: JsonObject): Promise<KubernetesObject> {
  try {
    const { object } = decodePlain(schema, document);
    return { metadata: {}, ...object } as KubernetesObject; // decoded by the schema of a kind
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message) : error;
  }
}
