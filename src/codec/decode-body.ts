import { goQuote } from '../api/go/go-quote.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/meta/group-version.ts';
import { getOwn, isJsonObject, type JsonObject } from '../api/json/json.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import type { JsonSource } from '../api/json/json-tree.ts';
import { invalidField } from '../api/errors/field-error.ts';
import { badRequest, invalid } from '../api/errors/status-errors.ts';
import type { StatusError } from '../api/errors/status.ts';
import { decodeObject } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { unknownConversionText } from '../schema/kubernetes/internal-kind.ts';
import type { Schema } from '../schema/schema.ts';
import { freeSchema } from '../schema/free-kind.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import { claimedKind, kindOfFree, notRegistered, withDefaults } from './claimed-kind.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The kind that a path serves. */
export interface ExpectedKind extends GroupVersionKind {
  /** Other accepted versions of the kind. */
  readonly otherVersions?: readonly string[];
  /** What is answered instead of the reason why a body cannot be decoded. */
  readonly refusal?: string;
  /** For kinds without a Go type, whose bodies are free-form JSON. */
  readonly schema?: Schema;
}

export interface BodyRequest {
  readonly bytes: Uint8Array;
  readonly serializer: Serializer;
  /** The kind that the path serves, which is the default of bodies without kind or apiVersion. */
  readonly expected: ExpectedKind;
  readonly fieldValidation: FieldValidation;
  /** Why a decoded object of the expected kind cannot be converted to the form that is stored; undefined if it can. */
  unconvertible?(object: Readonly<JsonObject>): string | undefined;
  /** Takes the texts of Warning headers, also of a body that is refused for its version or kind. */
  warn?(text: string): void;
}

/** A body that is not decoded yet, and the kind that it names. */
export interface ParsedBody {
  readonly body: DecodedBody;
  readonly kind: GroupVersionKind;
}

export interface DecodedObject {
  /** With kind, apiVersion and (if the kind has it) metadata. */
  readonly object: JsonObject;
  readonly kind: GroupVersionKind;
}

type Refusal = (message: string) => StatusError;

function refusalOf({ expected }: Pick<BodyRequest, 'expected'>, kind: GroupVersionKind): Refusal {
  return (message) =>
    badRequest(
      expected.refusal ??
        `${kind.kind} in version ${goQuote(kind.version)} cannot be handled as a ${expected.kind}: ${message}`,
    );
}

function isFreeForm({ schema }: ExpectedKind): boolean {
  return schema !== undefined && isUnstructured(schema);
}

/**
 * Parses the body of a create or update. Throws the StatusError (400) that the reference answers, and BodyLimitError.
 */
export function parseBody(request: Pick<BodyRequest, 'bytes' | 'serializer' | 'expected'>): ParsedBody {
  const isFree = isFreeForm(request.expected);
  const claimed = readKind(request, isFree);
  const { body, kind } = claimed;
  if (kind.version === '' && !isFree) throw refusalOf(request, kind)(withoutVersion(body, request.bytes));
  return claimed;
}

/** Decodes it by the schema of that kind if it is `known`, whether this path serves it or not. Throws as above. */
export function decodeBody(request: BodyRequest, { body, kind }: ParsedBody, known: Schema | undefined): DecodedObject {
  const { expected, fieldValidation } = request;
  const isFree = isFreeForm(expected);
  const refuse = refusalOf(request, kind);
  const schema = isFree ? expected.schema && freeSchema(expected, kind, { schema: expected.schema, known }) : known;
  if (schema === undefined) throw refuse(notRegistered(kind));
  const { value } = body.source;
  if (isFree && isJsonObject(value) && getOwn(value, 'apiVersion') === null) {
    throw refuse('.apiVersion accessor error: <nil> is of the type <nil>, expected string');
  }
  const { object, strictErrors } = decodeTyped(schema, body, refuse);
  const isExpected = kind.kind === expected.kind && kind.group === expected.group && isAccepted(kind.version, expected);
  const why = isExpected ? request.unconvertible?.(object) : undefined;
  if (why !== undefined) throw refuse(why);
  if (kind.kind !== expected.kind && !isFree) throw refuse(unknownConversionText(schema, expected));
  if (fieldValidation === 'Strict' && strictErrors.length > 0) {
    if (kind.version === '') throw badRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    throw refuse(`strict decoding error: ${strictErrors.join(', ')}`);
  }
  if (fieldValidation === 'Warn') for (const text of strictErrors.flatMap(strictWarnings)) request.warn?.(text);
  if (kind.group !== expected.group || !isAccepted(kind.version, expected)) {
    throw badRequest(
      `the API version in the data (${formatApiVersion(kind.group, kind.version)}) does not match the expected API version (${formatApiVersion(expected.group, expected.version)})`,
    );
  }
  if (kind.kind !== expected.kind) throw wrongKind(expected, object, kind);
  return { object: withKind(schema, object, kind), kind };
}

/** The error for an object of another kind. */
function wrongKind(
  { kind: expected, group }: ExpectedKind,
  object: JsonObject,
  { kind }: GroupVersionKind,
): StatusError {
  const name = isJsonObject(object['metadata']) ? object['metadata']['name'] : undefined;
  return invalid({ group, kind }, typeof name === 'string' ? name : '', [
    invalidField('kind', kind, `must be ${expected}`),
  ]);
}

function isAccepted(actual: string, { version, otherVersions = [] }: ExpectedKind): boolean {
  return actual === version || otherVersions.includes(actual);
}

/** The decoded object with kind first, and with metadata if the kind has it. */
function withKind(schema: Schema, object: Readonly<JsonObject>, kind: GroupVersionKind): JsonObject {
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const metadata =
    schema.structure?.fields.has('metadata') === true ? { metadata: getOwn(object, 'metadata') ?? {} } : {};
  const { kind: _, apiVersion: __, ...rest } = object;
  return keepNotes(object, { kind: kind.kind, apiVersion, ...metadata, ...rest });
}

function decodeTyped(
  schema: Schema,
  body: DecodedBody,
  refuse: Refusal,
): { object: JsonObject; strictErrors: readonly string[] } {
  try {
    if (body.objectOf !== undefined) return { object: body.objectOf(schema), strictErrors: body.strictErrors };
    const { object, strictErrors } = decodeObject(schema, typedSource(schema, body));
    return { object, strictErrors: [...body.strictErrors, ...strictErrors] };
  } catch (error) {
    throw error instanceof DecodeError || error instanceof BodySyntaxError ? refuse(error.message) : error;
  }
}

/** The body as an object of a kind. Throws BodySyntaxError. */
export function typedSource(schema: Schema, body: DecodedBody): JsonSource {
  return body.typed === undefined ? body.source : body.typed(schema);
}

function readKind(
  { bytes, serializer, expected }: Pick<BodyRequest, 'bytes' | 'serializer' | 'expected'>,
  isFree: boolean,
): ParsedBody {
  const unrecognized = (message: string): StatusError =>
    badRequest(
      expected.refusal ??
        `the object provided is unrecognized (must be of type ${expected.kind}): ${message} (${summarize(bytes)})`,
    );
  try {
    const body = serializer.decode(bytes);
    const claimed = claimedKind(body.source);
    if (!isFree) return { body, kind: withDefaults(claimed, expected) };
    const kind = kindOfFree(body.source.value);
    if (kind !== undefined) return { body, kind };
    throw new BodySyntaxError(`Object 'Kind' is missing in '${body.shown?.() ?? decodeUtf8(bytes)}'`);
  } catch (error) {
    throw error instanceof BodySyntaxError ? unrecognized(error.message) : error;
  }
}

/** Decodes options of any version. Throws BodySyntaxError and DecodeError. */
export function decodeOptionsBody(
  { body, bytes }: { readonly body: DecodedBody; readonly bytes: Uint8Array },
  kind: string,
  schemaOf: (kind: string) => Schema | undefined,
): JsonObject {
  const claimed = withDefaults(claimedKind(body.source), { group: 'meta.k8s.io', version: 'v1', kind });
  const actual = claimed.kind;
  if (claimed.version === '') throw new BodySyntaxError(withoutVersion(body, bytes));
  const schema = unversionedKinds.has(actual) ? schemaOf(actual) : undefined;
  if (schema === undefined) throw new BodySyntaxError(notRegistered(claimed));
  const { object } = decodeTyped(schema, body, (message) => badRequest(message));
  if (actual === kind) return object;
  throw new BodySyntaxError(`converting (${schema.goType}) to (v1.${kind}): unknown conversion`);
}

function withoutVersion(body: DecodedBody, bytes: Uint8Array): string {
  return `Object 'apiVersion' is missing in '${body.shown?.() ?? decodeUtf8(bytes)}'`;
}

/** The kinds that the reference's decoder of options accepts. */
const unversionedKinds: ReadonlySet<string> = new Set([
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'Status',
  'APIVersions',
  'APIGroupList',
  'APIGroup',
  'APIResourceList',
]);

const summaryLength = 30;

/** The start of a body as errors show it, in hexadecimal unless it looks like a JSON object. */
function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, summaryLength);
  const text = bytes[0] === 0x7b ? decodeUtf8(start) : Buffer.from(start).toString('hex');
  return bytes.length > summaryLength ? `${text} ...` : text;
}

const yamlErrorsPrefix = 'yaml: unmarshal errors:\n';

/** Warnings from a strict error: that of duplicate YAML keys has several lines, one warning each. */
export function strictWarnings(error: string): readonly string[] {
  if (!error.startsWith(yamlErrorsPrefix)) return [error];
  return error
    .slice(yamlErrorsPrefix.length)
    .split('\n')
    .map((line) => line.trim());
}
