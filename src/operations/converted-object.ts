import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { StatusError } from '../api/errors/status.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { convertedIntegers } from '../schema/converted-integers.ts';
import { decodePlain } from '../schema/decode.ts';
import { DecodeError, TypeMismatchError } from '../schema/decode-errors.ts';
import type { Schema } from '../schema/schema.ts';
import type { ServedKind } from './resource-scope.ts';

// Decodes the free-form JSON that a merge yields into an object of its kind.

/** `failure` starts the message of the 500 with which the reference answers values that do not fit. */
export function convertedObject(served: ServedKind, object: JsonObject, failure: string): KubernetesObject {
  try {
    return typedObject(served.schema, object);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return converted(served, object, failure);
  }
}

/**
 * Behaves like the reference's conversion from unstructured objects, which wraps integers and has error messages of its
 * own.
 */
function converted(served: ServedKind, object: JsonObject, failure: string): KubernetesObject {
  try {
    const value = convertedIntegers(served.schema, object);
    return typedObject(served.schema, isJsonObject(value) ? value : {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const kind = `${served.group === '' ? '/' : `${served.group}/`}${served.version}, Kind=${served.kind}`;
    const message = `${failure}: unable to convert unstructured object to ${kind}: ${conversionText(error)}`;
    throw new StatusError({ code: 500, reason: '', message });
  }
}

/** Why that conversion fails for a part of an object, if it does. */
export function conversionProblem(schema: Schema, part: JsonObject): string | undefined {
  try {
    const value = convertedIntegers(schema, part);
    decodePlain(schema, isJsonObject(value) ? value : {});
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return conversionText(error);
  }
}

/** That conversion reports values without their field, except for types that decode themselves. */
function conversionText(error: DecodeError): string {
  if (!(error instanceof TypeMismatchError)) {
    return error.message.startsWith('illegal base64') ? `error decoding from json: ${error.message}` : error.message;
  }
  return (error.within ?? new TypeMismatchError(error.value, error.goType, { structName: '', field: '' })).message;
}

function typedObject(schema: Schema, value: JsonObject): KubernetesObject {
  const { object } = decodePlain(schema, value);
  // Decoded by the schema of a kind.
  return keepNotes(object, { metadata: {}, ...object }) as KubernetesObject;
}
