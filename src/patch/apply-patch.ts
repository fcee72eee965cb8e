import { type FieldError, invalidField } from '../api/field-error.ts';
import { encodeAny, encodeRaw, encodeSpelled } from '../api/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { type JsonSource, plainSource, readUnspelled, spelledSource } from '../api/json-tree.ts';
import { awaited, type Work } from '../api/turns.ts';
import { badRequest, invalid, requestEntityTooLarge } from '../api/status-errors.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import { keepNotes } from '../api/written-notes.ts';
import { readDeepJson } from '../codec/json.ts';
import { JsonSyntaxError } from '../codec/json-syntax.ts';
import { readJsonTree } from '../codec/json-tree-parser.ts';
import { decodeObject, decodePlain, readTyped, readTypedValue } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { type Decoded, readExactly } from '../schema/decode-exact.ts';
import type { Schema } from '../schema/schema.ts';
import { schemaOfFree } from '../schema/free-kind.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import { applyOperations } from './json-patch.ts';
import { applyMergePatch, replaceByList } from './merge-patch.ts';
import { readMergePatch, readOperations, readStrategicMergePatch } from './patch-body.ts';
import { unclassified } from './patch-errors.ts';
import {
  claimedKind,
  demandKind,
  fieldsWithoutVersion,
  lacksVersion,
  missingVersion,
  type PatchableKinds,
  notRegistered,
  unknownConversion,
  withoutName,
} from './patched-kind.ts';
import { PatchedDocument } from './patched-document.ts';
import { restore } from './restore.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

/** Patch formats by media type. Custom resources do not support strategic merge patch. */
export const patchFormats = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
} as const;

/** Server-side apply: an intent rather than a patch of the object. */
export const applyMediaType = 'application/apply-patch+yaml';

export type PatchFormat = (typeof patchFormats)[keyof typeof patchFormats];

export interface PatchRequest {
  /** Of the object, as the path has it. */
  readonly name: string;
  readonly format: PatchFormat;
  /** The body, from `readPatch`. */
  readonly source: JsonSource;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly schema: Schema;
  readonly kinds: PatchableKinds;
  /** Why a decoded object cannot be converted to the form that is stored. */
  readonly unconvertible?: ((object: Readonly<JsonObject>) => string | undefined) | undefined;
  /** Takes the texts of Warning headers of a patch that is refused for the version it leaves. */
  readonly warn?: (text: string) => void;
}

export interface PatchedObject {
  /** Decoded, not defaulted, of the kind that the path serves. Shares parts with the patched object. */
  readonly object: JsonObject;
  /** Texts of Warning headers. */
  readonly warnings: readonly string[];
}

const maxOperations = 10_000;

/** Parses the body of a patch. Throws a StatusError (400) and BodyLimitError. */
export function* readPatch(bytes: Uint8Array): Work<JsonSource> {
  try {
    const source = yield* readDeepJson(bytes);
    if (source.faithful || source.readTree === undefined) return source;
    const tree = source.readTree();
    return { ...source, tree: () => tree };
  } catch (error) {
    throw error instanceof JsonSyntaxError ? badRequest('invalid JSON patch') : error;
  }
}

/**
 * Applies a patch to an object in wire form (the stored JSON in the version of the request) and decodes the result.
 * Does not modify its arguments, so it can be retried on another state. Throws StatusErrors.
 */
export function* applyPatch(current: Readonly<JsonObject>, request: PatchRequest): Work<PatchedObject> {
  const apply = request.format === 'strategic' ? applyStrategic : applyToDocument;
  const patched = yield* apply(current, request);
  const { decoded, strictErrors } = patched;
  const errors = [...strictErrors, ...decoded.strictErrors];
  if (request.fieldValidation === 'Strict' && errors.length > 0) {
    throw badResult(patched.shown(), `strict decoding error: ${errors.join(', ')}`);
  }
  const why = request.unconvertible?.(decoded.object);
  if (why !== undefined) throw unclassified(why);
  const { group, version, kind } = request.kinds.expected;
  const named = { ...decoded.object, kind, apiVersion: formatApiVersion(group, version) };
  const object = keepNotes(decoded.object, named);
  return { object, warnings: request.fieldValidation === 'Warn' ? errors : [] };
}

interface Patched {
  readonly decoded: Decoded;
  readonly strictErrors: readonly string[];
  /** The invalid value as shown in errors. */
  shown(): string;
}

function* applyToDocument(current: Readonly<JsonObject>, request: PatchRequest): Work<Patched> {
  const { format, source, fieldValidation } = request;
  const strict = fieldValidation !== 'Ignore';
  const document = new PatchedDocument(current);
  const strictErrors =
    format === 'json' ? yield* applyJsonPatch(document, source, strict) : yield* applyMerge(document, source, strict);
  yield;
  // Free-form JSON is shown with sorted keys.
  const shown = (): string =>
    isUnstructured(request.schema)
      ? encodeAny(document.root)
      : document.text(source.faithful ? encodeRaw : encodeSpelled);
  const decoded = yield* decodeOr(shown, decodeClaimed(document.root, request, { shown, strictErrors }));
  // These formats are applied to the encoded object: what cannot be converted cannot be decoded.
  const why = request.unconvertible?.(decoded.object);
  if (why !== undefined) throw badResult(shown(), why);
  if (decoded.strictErrors.length < 2 || isUnstructured(request.schema)) return { decoded, strictErrors, shown };
  // They are found in the order of the document as it is encoded after the patch.
  const ordered = yield* readExactly(request.schema, yield* readJsonTree(shown()));
  return { decoded: { ...decoded, strictErrors: ordered.strictErrors }, strictErrors, shown };
}

function* applyJsonPatch(document: PatchedDocument, source: JsonSource, strict: boolean): Work<readonly string[]> {
  const { patch, strictErrors } = yield* readOperations(source, strict);
  if (patch.length > maxOperations) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  yield* applyOperations(document, patch, source.hugeKeys);
  return strictErrors;
}

function* applyMerge(document: PatchedDocument, source: JsonSource, strict: boolean): Work<readonly string[]> {
  const { patch, strictErrors } = readMergePatch(source, strict);
  if (Array.isArray(patch)) yield* replaceByList(document, patch, source.hugeKeys);
  else yield* applyMergePatch(document, patch, source.hugeKeys);
  return strictErrors;
}

/** What errors about the patched document need. */
interface Showing {
  readonly shown: () => string;
  /** Of the patch itself. */
  readonly strictErrors: readonly string[];
}

function* decodeClaimed(value: JsonValue, request: PatchRequest, showing: Showing): Work<Decoded> {
  const { schema, source, kinds } = request;
  const { expected } = kinds;
  const claimed = claimedKind(value, expected);
  const { hugeKeys } = source;
  const patched = { ...(source.faithful ? plainSource(value) : spelledSource(value)), hugeKeys };
  if (isUnstructured(schema)) {
    demandKind(value);
    const lacking = lacksVersion(value);
    if (lacking || !isSame(claimed, expected)) {
      return yield* refuseFree(request, { patched, lacking, claimed, showing });
    }
  } else if (lacksVersion(value)) {
    const error = withoutName(value, expected, { name: request.name, shown: showing.shown });
    if (!(error instanceof DecodeError))
      warnOf([...showing.strictErrors, ...fieldsWithoutVersion(value)], request, showing);
    throw error;
  }
  if (isSame(claimed, expected)) {
    return isUnstructured(schema) ? yield* readTyped(schema, patched) : yield* readOrdered(schema, patched, showing);
  }
  const claimedSchema = yield* awaited(kinds.schemaOf(claimed));
  if (claimedSchema === undefined) throw notRegistered(claimed);
  const decoded = decodeObject(claimedSchema, patched);
  if (claimed.kind !== expected.kind) throw unknownConversion(claimedSchema, expected);
  return decoded;
}

/** Of several errors the first in the order of the document as it is encoded after the patch is told. */
function* readOrdered(schema: Schema, patched: JsonSource, { shown }: Showing): Work<Decoded> {
  try {
    return yield* readTyped(schema, patched);
  } catch (error) {
    if (error instanceof DecodeError) yield* readExactly(schema, yield* readJsonTree(shown()));
    throw error;
  }
}

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

/** Of a document that is refused for other reasons; with strict validation they are the reason. */
function warnOf(strictErrors: readonly string[], { fieldValidation, warn }: PatchRequest, { shown }: Showing): void {
  if (strictErrors.length === 0) return;
  if (fieldValidation === 'Strict') throw badResult(shown(), `strict decoding error: ${strictErrors.join(', ')}`);
  if (fieldValidation === 'Warn') for (const text of strictErrors) warn?.(text);
}

interface Refused {
  readonly patched: JsonSource;
  readonly lacking: boolean;
  readonly claimed: GroupVersionKind;
  readonly showing: Showing;
}

/** Free-form JSON may claim any kind, or lack a version; validation reports errors. */
function* refuseFree(request: PatchRequest, { patched, lacking, claimed, showing }: Refused): Work<never> {
  const { schema, kinds } = request;
  const { expected } = kinds;
  const decoded = yield* readTyped(yield* schemaOfFree({ ...kinds, schema }, claimed), patched);
  warnOf([...showing.strictErrors, ...decoded.strictErrors], request, showing);
  if (lacking) throw missingVersion();
  const errors: FieldError[] = [];
  if (claimed.kind !== expected.kind) errors.push(invalidField('kind', claimed.kind, `must be ${expected.kind}`));
  const [is, must] = [claimed, expected].map(({ group, version }) => formatApiVersion(group, version));
  if (is !== must) errors.push(invalidField('apiVersion', is, `must be ${must}`));
  const { metadata } = decoded.object;
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  throw invalid({ group: claimed.group, kind: claimed.kind }, typeof name === 'string' ? name : '', errors);
}

function* applyStrategic(
  current: Readonly<JsonObject>,
  { source, fieldValidation, schema }: PatchRequest,
): Work<Patched> {
  const { patch, strictErrors } = yield* readStrategicMergePatch(source, fieldValidation !== 'Ignore');
  yield;
  const merged = yield* strategicMergePatch(current, patch, schema);
  yield;
  const object = source.faithful ? merged.object : yield* unspelledObject(merged.object);
  const decoded = yield* decodeOr(merged.shown, decodeMerged(schema, merged.object, object));
  if (decoded.strictErrors.length === 0) return { decoded, strictErrors, shown: merged.shown };
  const told = yield* readExactly(schema, plainSource(object).tree(), 'converter');
  return { decoded: { ...decoded, strictErrors: told.strictErrors.toSorted() }, strictErrors, shown: merged.shown };
}

function* unspelledObject(object: JsonObject): Work<JsonObject> {
  yield;
  const plain = readUnspelled(object);
  return isJsonObject(plain) ? plain : object;
}

/** `plain` has numbers where the merged object has spelled ones. */
function* decodeMerged(schema: Schema, object: JsonObject, plain: JsonObject): Work<Decoded> {
  try {
    return yield* readTypedValue(schema, plain);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    yield;
    return decodePlain(schema, restore(schema, object));
  }
}

function* decodeOr(shown: () => string, decode: Work<Decoded>): Work<Decoded> {
  try {
    return yield* decode;
  } catch (error) {
    throw error instanceof DecodeError ? badResult(shown(), error.message) : error;
  }
}

function badResult(shown: string, detail: string): Error {
  const error: FieldError = invalidField('patch', shown, detail);
  return invalid({ group: '', kind: '' }, '', [error]);
}
