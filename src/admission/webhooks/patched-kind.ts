import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { StatusError } from '../../api/errors/status.ts';
import { notRegistered, withDefaults } from '../../codec/claimed-kind.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { decodePlain } from '../../schema/decode.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import { claimedBy, missingKind, otherKind, unsuitableWords } from '../claimed-kinds.ts';

/**
 * Throws a StatusError if a patch has made an object one of another kind. `isTyped`: the kind has a Go type in the
 * reference, which then assumes what the object no longer says.
 */
export function checkPatchedKind(
  object: JsonObject,
  { kind, isTyped }: { readonly kind: GroupVersionKind; readonly isTyped: boolean },
): void {
  const claimed = claimedBy(object);
  const actual = isTyped ? withDefaults(claimed, kind) : claimed;
  if (actual.kind === kind.kind && actual.version === kind.version && actual.group === kind.group) return;
  throw isTyped ? foreignTyped(object, actual, kind) : foreignCustom(object, actual, kind);
}

/** The object is decoded as what it claims to be, which may fail. */
function foreignTyped(object: JsonObject, actual: GroupVersionKind, kind: GroupVersionKind): StatusError {
  const schema = schemaOfKind(actual);
  if (schema === undefined) return internalError(notRegistered(actual));
  try {
    decodePlain(schema, object);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return internalError(error.message, { cause: error });
  }
  const [group = ''] = kind.group.split('.');
  return unconvertible(`converting (${schema.goType}) to (${group || 'core'}.${kind.kind}): unknown conversion`);
}

function foreignCustom(object: JsonObject, actual: GroupVersionKind, kind: GroupVersionKind): StatusError {
  if (actual.kind === '') return missingKind(object);
  const isSame = actual.group === kind.group && actual.version === kind.version;
  return isSame ? otherKind(object, actual, kind) : unconvertible(unsuitableWords(actual, kind));
}

function unconvertible(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
