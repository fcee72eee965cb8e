import { goQuote } from '../api/go-quote.ts';
import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../api/group-version.ts';
import { encodeAny } from '../api/json-text.ts';
import { getOwn, isJsonObject, type JsonValue } from '../api/json.ts';
import { badRequest, internalError } from '../api/status-errors.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { unknownConversionText } from '../schema/kubernetes/internal-kind.ts';
import type { Schema } from '../schema/schema.ts';

/** The kinds that a patched object may claim. */
export interface PatchableKinds {
  /** The kind that the path serves. */
  readonly expected: GroupVersionKind;
  /** Schema of a registered kind, served by this path or not. */
  schemaOf(kind: GroupVersionKind): Schema | undefined | Promise<Schema | undefined>;
}

/** The kind that a patched document claims; missing parts default to the expected kind. Throws DecodeError. */
export function claimedKind(document: JsonValue, expected: GroupVersionKind): GroupVersionKind {
  const kind = stringMember(document, 'kind') || expected.kind;
  const apiVersion = stringMember(document, 'apiVersion');
  if (apiVersion === '') return { ...expected, kind };
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  return { ...parsed, kind };
}

/** Free-form JSON has to name its kind. Throws DecodeError and, without a version, a StatusError. */
export function demandKind(document: JsonValue): void {
  if (stringMember(document, 'kind') === '') {
    throw new DecodeError(`Object 'Kind' is missing in '${encodeAny(document)}'`);
  }
  if (isJsonObject(document) && getOwn(document, 'apiVersion') === null) {
    throw new DecodeError('.apiVersion accessor error: <nil> is of the type <nil>, expected string');
  }
  if (parseApiVersion(stringMember(document, 'apiVersion'))?.version === '') {
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  }
}

/**
 * A group without a version, as in `apps/`: the reference decodes it to an object without a name if it is the group
 * that is expected, or none. Throws DecodeError and a StatusError. `shown`: the document.
 */
export function demandVersion(document: JsonValue, { group }: GroupVersionKind, shown: () => string): void {
  if (!isJsonObject(document) || getOwn(document, 'apiVersion') === undefined) return;
  const claimed = parseApiVersion(stringMember(document, 'apiVersion'));
  if (claimed?.version !== '') return;
  if (claimed.group !== '' && claimed.group !== group)
    throw new DecodeError(`Object 'apiVersion' is missing in '${shown()}'`);
  const metadata = getOwn(document, 'metadata');
  const name = isJsonObject(metadata) ? getOwn(metadata, 'name') : undefined;
  const url = typeof name === 'string' ? name : '';
  throw badRequest(`the name of the object (${url} based on URL) was undeterminable: name must be provided`);
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

export function notRegistered({ group, version, kind }: GroupVersionKind): DecodeError {
  const apiVersion = goQuote(formatApiVersion(group, version));
  return new DecodeError(
    `no kind ${goQuote(kind)} is registered for version ${apiVersion} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** Thrown for a registered kind other than the expected one. */
export function unknownConversion(schema: Schema, expected: GroupVersionKind): DecodeError {
  return new DecodeError(unknownConversionText(schema, expected));
}
