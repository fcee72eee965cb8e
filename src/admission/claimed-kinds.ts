import { invalidField } from '../api/errors/field-error.ts';
import { formatApiVersion, formatGroupVersionKind, type GroupVersionKind } from '../api/meta/group-version.ts';
import { encodeAny } from '../api/json/json-text.ts';
import { plainSource } from '../api/json/json-tree.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { internalError, invalid } from '../api/errors/status-errors.ts';
import type { StatusError } from '../api/errors/status.ts';
import { claimedKind } from '../codec/claimed-kind.ts';
import { BodySyntaxError } from '../codec/serializer.ts';

// What objects say that they are after a patch of a webhook or a policy.

/** The kind that a patched object claims to have. Throws a StatusError when it says so in a wrong way. */
export function claimedBy(object: JsonObject): GroupVersionKind {
  try {
    return claimedKind(plainSource(object));
  } catch (error) {
    throw error instanceof BodySyntaxError ? internalError(error.message, { cause: error }) : error;
  }
}

/** The error for a custom resource that no longer tells its kind. */
export function missingKind(object: JsonObject): StatusError {
  return internalError(`Object 'Kind' is missing in '${encodeAny(object)}'`);
}

/** Why a custom resource that claims to be of another group or version is not converted. */
export function unsuitableWords(actual: GroupVersionKind, { group, version }: GroupVersionKind): string {
  const wanted = formatApiVersion(group, version);
  return `${formatGroupVersionKind(actual)} is unstructured and is not suitable for converting to "${wanted}"`;
}

/** The error for a custom resource of another kind of the same group. */
export function otherKind(object: JsonObject, actual: GroupVersionKind, kind: GroupVersionKind): StatusError {
  return invalid(actual, nameIn(object), [invalidField('kind', actual.kind, `must be ${kind.kind}`)]);
}

function nameIn({ metadata = null }: JsonObject): string {
  const name: JsonValue | undefined = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}
