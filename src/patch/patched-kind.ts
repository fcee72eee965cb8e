import { goQuote } from '../api/go/go-quote.ts';
import { type GroupVersionKind, parseApiVersion } from '../api/meta/group-version.ts';
import { encodeAny } from '../api/json/json-text.ts';
import { getOwn, isJsonObject, type JsonValue } from '../api/json/json.ts';
import { badRequest, internalError } from '../api/errors/status-errors.ts';
import type { StatusError } from '../api/errors/status.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { unknownConversionText } from '../schema/kubernetes/internal-kind.ts';
import type { Schema } from '../schema/schema.ts';

/** The kind that a patched document claims; missing parts default to the expected kind. Throws DecodeError. */
export function claimedKind(document: JsonValue, expected: GroupVersionKind): GroupVersionKind {
  const kind = stringMember(document, 'kind') || expected.kind;
  const apiVersion = stringMember(document, 'apiVersion');
  if (apiVersion === '') return { ...expected, kind };
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  return { ...parsed, kind };
}

/** Free-form JSON has to name its kind. Throws DecodeError. */
export function requireKind(document: JsonValue): void {
  if (stringMember(document, 'kind') === '') {
    throw new DecodeError(`Object 'Kind' is missing in '${encodeAny(document)}'`);
  }
  if (isJsonObject(document) && getOwn(document, 'apiVersion') === null) {
    throw new DecodeError('.apiVersion accessor error: <nil> is of the type <nil>, expected string');
  }
}

/** Whether a document has no version, or only a group, as in `apps/`. */
export function lacksVersion(document: JsonValue): boolean {
  return (parseApiVersion(stringMember(document, 'apiVersion'))?.version ?? '') === '';
}

/** Its group, which may be all that it names. */
export function groupOf(document: JsonValue): string {
  return parseApiVersion(stringMember(document, 'apiVersion'))?.group ?? '';
}

/** The error for free-form JSON without a version. */
export function missingVersion(): StatusError {
  return internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

/**
 * The reference decodes a document without a version to an object without a name if its group is the one that is
 * expected, or none. `name`: of the patched object; `shown`: the document.
 */
export function withoutName(
  document: JsonValue,
  { group }: GroupVersionKind,
  { name, shown }: { readonly name: string; readonly shown: () => string },
): Error {
  const claimed = parseApiVersion(stringMember(document, 'apiVersion'));
  if (claimed !== undefined && claimed.group !== '' && claimed.group !== group) {
    return new DecodeError(`Object 'apiVersion' is missing in '${shown()}'`);
  }
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

/** Such an object knows none of the document's other fields. */
export function fieldsWithoutVersion(document: JsonValue): readonly string[] {
  const fields = isJsonObject(document) ? Object.keys(document) : [];
  return fields
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .toSorted()
    .map((name) => `unknown field ${goQuote(name)}`);
}

const kindStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function stringMember(document: JsonValue, name: string): string {
  const prefix = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (!isJsonObject(document)) throw new DecodeError(`${prefix} array into Go value of type ${kindStruct}`);
  const value = getOwn(document, name) ?? '';
  if (typeof value === 'string') return value;
  const word = Array.isArray(value) ? 'array' : jsonWords[typeof value];
  throw new DecodeError(`${prefix} ${word} into Go struct field .${name} of type string`);
}

const jsonWords: { readonly [type: string]: string } = {
  object: 'object',
  number: 'number',
  bigint: 'number',
  symbol: 'number',
  boolean: 'bool',
};

interface Target {
  readonly expected: GroupVersionKind;
  /** Go's name of the type that documents are converted to; absent: the internal type of the expected kind. */
  readonly goType?: string | undefined;
}

/** Thrown for a registered kind other than the expected one. */
export function unknownConversion(schema: Schema, { expected, goType }: Target): DecodeError {
  return new DecodeError(
    goType === undefined
      ? unknownConversionText(schema, expected)
      : `converting (${schema.goType}) to (${goType}): unknown conversion`,
  );
}
