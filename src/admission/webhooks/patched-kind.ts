import { invalidField } from '../../api/field-error.ts';
import { formatApiVersion, formatGroupVersionKind, type GroupVersionKind } from '../../api/group-version.ts';
import { encodeAny } from '../../api/json-text.ts';
import { plainSource } from '../../api/json-tree.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { internalError, invalid } from '../../api/status-errors.ts';
import { StatusError } from '../../api/status.ts';
import type { Work } from '../../api/turns.ts';
import { claimedKind, notRegistered, withDefaults } from '../../codec/claimed-kind.ts';
import { BodySyntaxError } from '../../codec/serializer.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { readTypedValue } from '../../schema/decode.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';

/**
 * Throws a StatusError if a patch has made an object one of another kind. `isTyped`: the kind has a Go type in the
 * reference, which then assumes what the object no longer says.
 */
export function* checkPatchedKind(
  object: JsonObject,
  { kind, isTyped }: { readonly kind: GroupVersionKind; readonly isTyped: boolean },
): Work<void> {
  const claimed = yield* claimedBy(object);
  const actual = isTyped ? withDefaults(claimed, kind) : claimed;
  if (actual.kind === kind.kind && actual.version === kind.version && actual.group === kind.group) return;
  throw isTyped ? yield* foreignTyped(object, actual, kind) : foreignCustom(object, actual, kind);
}

function* claimedBy(object: JsonObject): Work<GroupVersionKind> {
  try {
    return yield* claimedKind(plainSource(object));
  } catch (error) {
    throw error instanceof BodySyntaxError ? internalError(error.message, { cause: error }) : error;
  }
}

/** The object is decoded as what it claims to be, which may fail. */
function* foreignTyped(object: JsonObject, actual: GroupVersionKind, kind: GroupVersionKind): Work<StatusError> {
  const schema = schemaOfKind(actual);
  if (schema === undefined) return internalError(notRegistered(actual));
  try {
    yield* readTypedValue(schema, object);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return internalError(error.message, { cause: error });
  }
  const [group = ''] = kind.group.split('.');
  return unconvertible(`converting (${schema.goType}) to (${group || 'core'}.${kind.kind}): unknown conversion`);
}

function foreignCustom(object: JsonObject, actual: GroupVersionKind, kind: GroupVersionKind): StatusError {
  if (actual.kind === '') return internalError(`Object 'Kind' is missing in '${encodeAny(object)}'`);
  const wanted = formatApiVersion(kind.group, kind.version);
  if (formatApiVersion(actual.group, actual.version) !== wanted) {
    const which = formatGroupVersionKind(actual);
    return unconvertible(`${which} is unstructured and is not suitable for converting to "${wanted}"`);
  }
  return invalid(actual, nameIn(object), [invalidField('kind', actual.kind, `must be ${kind.kind}`)]);
}

function nameIn({ metadata = null }: JsonObject): string {
  const name: JsonValue | undefined = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

function unconvertible(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
