import { type FieldError, invalidField } from '../api/errors/field-error.ts';
import { encodeAny, encodeRaw, encodeSpelled } from '../api/json/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { type JsonSource, plainSource, unspelledOf, spelledSource } from '../api/json/json-tree.ts';
import { badRequest, invalid, requestEntityTooLarge } from '../api/errors/status-errors.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/meta/group-version.ts';
import { decodePatched, type KnownFields } from './known-fields.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { notRegistered } from '../codec/claimed-kind.ts';
import { parseDeepJson } from '../codec/json.ts';
import { JsonSyntaxError } from '../codec/json-syntax.ts';
import { parseJsonTree } from '../codec/json-tree-parser.ts';
import { decodeObject, decodePlain } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { type Decoded, decodeExactly } from '../schema/decode-exact.ts';
import type { Schema } from '../schema/schema.ts';
import { freeSchema } from '../schema/free-kind.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import { applyOperations } from './json-patch.ts';
import { applyMergePatch, replaceByList } from './merge-patch.ts';
import { readMergePatch, readOperations, readStrategicMergePatch } from './patch-body.ts';
import { unclassified } from './patch-errors.ts';
import {
  claimedKind,
  requireKind,
  fieldsWithoutVersion,
  groupOf,
  lacksVersion,
  missingVersion,
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
  /** The name of the object in the path. */
  readonly name: string;
  readonly format: PatchFormat;
  /** The body, from `readPatch`. */
  readonly source: JsonSource;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** The kind that the path serves, with its schema. */
  readonly expected: GroupVersionKind;
  readonly schema: Schema;
  /** Go's name of the type that documents are converted to; absent: the internal type of the expected kind. */
  readonly goType?: string;
  /** Why a decoded object cannot be converted to the form that is stored. */
  readonly unconvertible?: ((object: Readonly<JsonObject>) => string | undefined) | undefined;
  /** Absent: none. */
  readonly known?: KnownFields | undefined;
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
export function readPatch(bytes: Uint8Array): JsonSource {
  try {
    const source = parseDeepJson(bytes);
    if (source.faithful) return source;
    const tree = source.tree();
    return { ...source, tree: () => tree };
  } catch (error) {
    throw error instanceof JsonSyntaxError ? badRequest('invalid JSON patch') : error;
  }
}

/** A patched object in wire form. */
export interface UndecodedObject {
  /** What it claims to be if that is not what the path serves: its schema is needed, if there is one. */
  readonly otherKind: GroupVersionKind | undefined;
  /** Throws StatusErrors. */
  readonly decode: (schemaOfOther: Schema | undefined) => PatchedObject;
}

/**
 * Applies a patch to an object in wire form (the stored JSON in the version of the request). Does not modify its
 * arguments, so it can be retried on another state. Throws StatusErrors.
 */
export function applyPatch(current: Readonly<JsonObject>, request: PatchRequest): UndecodedObject {
  return request.format === 'strategic' ? applyStrategic(current, request) : applyToDocument(current, request);
}

interface Patched {
  readonly decoded: Decoded;
  /** The strict decoding errors of the patch itself. */
  readonly strictErrors: readonly string[];
  /** The invalid value as shown in errors. */
  readonly shown: () => string;
}

function patchedObject({ decoded, strictErrors, shown }: Patched, request: PatchRequest): PatchedObject {
  const errors = [...strictErrors, ...decoded.strictErrors];
  if (request.fieldValidation === 'Strict' && errors.length > 0) {
    throw badResult(shown(), `strict decoding error: ${errors.join(', ')}`);
  }
  const why = request.unconvertible?.(decoded.object);
  if (why !== undefined) throw unclassified(why);
  const { group, version, kind } = request.expected;
  const named = { ...decoded.object, kind, apiVersion: formatApiVersion(group, version) };
  const object = keepNotes(decoded.object, named);
  return { object, warnings: request.fieldValidation === 'Warn' ? errors : [] };
}

/** A document after a patch. */
interface Document extends Pick<Patched, 'strictErrors' | 'shown'> {
  readonly value: JsonValue;
  readonly claimed: GroupVersionKind;
  /** The schema of the claimed kind, if it is another one. */
  readonly schemaOfOther: Schema | undefined;
}

function applyToDocument(current: Readonly<JsonObject>, request: PatchRequest): UndecodedObject {
  const { format, source, fieldValidation, expected } = request;
  const strict = fieldValidation !== 'Ignore';
  const patched = new PatchedDocument(current);
  const strictErrors =
    format === 'json' ? applyJsonPatch(patched, source, strict) : applyMerge(patched, source, strict);
  // Free-form JSON is shown with sorted keys.
  const shown = (): string =>
    isUnstructured(request.schema)
      ? encodeAny(patched.root)
      : patched.text(source.faithful ? encodeRaw : encodeSpelled);
  const claimed = decodedOr(shown, () => claimedKind(patched.root, expected));
  return {
    otherKind: isSame(claimed, expected) ? undefined : claimed,
    decode(schemaOfOther) {
      const document = { value: patched.root, claimed, schemaOfOther, strictErrors, shown };
      const decoded = decodedOr(shown, () => decodeClaimed(document, request));
      // These formats are applied to the encoded object: what cannot be converted cannot be decoded.
      const why = request.unconvertible?.(decoded.object);
      if (why !== undefined) throw badResult(shown(), why);
      return patchedObject({ decoded: inOrder(decoded, document, request), strictErrors, shown }, request);
    },
  };
}

/** Strict errors are found in the order of the document as it is encoded after the patch. */
function inOrder(decoded: Decoded, { shown }: Document, { schema }: PatchRequest): Decoded {
  if (decoded.strictErrors.length < 2 || isUnstructured(schema)) return decoded;
  return { ...decoded, strictErrors: decodeExactly(schema, parseJsonTree(shown())).strictErrors };
}

function applyJsonPatch(document: PatchedDocument, source: JsonSource, strict: boolean): readonly string[] {
  const { patch, strictErrors } = readOperations(source, strict);
  if (patch.length > maxOperations) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  applyOperations(document, patch);
  return strictErrors;
}

function applyMerge(document: PatchedDocument, source: JsonSource, strict: boolean): readonly string[] {
  const { patch, strictErrors } = readMergePatch(source, strict);
  if (Array.isArray(patch)) replaceByList(document, patch);
  else applyMergePatch(document, patch);
  return strictErrors;
}

function decodeClaimed(document: Document, request: PatchRequest): Decoded {
  const { schema, source, expected } = request;
  const { value, claimed, schemaOfOther } = document;
  const patched = source.faithful ? plainSource(value) : spelledSource(value);
  if (isUnstructured(schema)) {
    requireKind(value);
    if (lacksVersion(value) || !isSame(claimed, expected)) throw refusalOfFree(document, patched, request);
    return decodeObject(schema, patched);
  }
  if (lacksVersion(value)) {
    const error = withoutName(value, expected, { name: request.name, shown: document.shown });
    if (!(error instanceof DecodeError)) {
      warnOf([...document.strictErrors, ...fieldsWithoutVersion(value)], document, request);
    }
    throw error;
  }
  if (isSame(claimed, expected)) return decodeOrdered(request, patched, document);
  if (schemaOfOther === undefined) throw new DecodeError(notRegistered(claimed));
  const decoded = decodeObject(schemaOfOther, patched);
  // A type of a version is converted to from no other one.
  if (claimed.kind !== expected.kind || request.goType !== undefined) throw unknownConversion(schemaOfOther, request);
  return decoded;
}

/** Decodes a patched object. The first error in the order of the patched document is reported. */
function decodeOrdered({ schema, known }: PatchRequest, patched: JsonSource, { shown }: Document): Decoded {
  try {
    return decodePatched(schema, patched, known);
  } catch (error) {
    if (error instanceof DecodeError) decodeExactly(schema, parseJsonTree(shown()));
    throw error;
  }
}

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

/**
 * Warns of strict errors in a document that is refused for other reasons; with strict validation they are the reason.
 */
function warnOf(strictErrors: readonly string[], { shown }: Document, { fieldValidation, warn }: PatchRequest): void {
  if (strictErrors.length === 0) return;
  if (fieldValidation === 'Strict') throw badResult(shown(), `strict decoding error: ${strictErrors.join(', ')}`);
  if (fieldValidation === 'Warn') for (const text of strictErrors) warn?.(text);
}

/** Free-form JSON may claim any kind, or lack a version; validation reports errors. */
function refusalOfFree(document: Document, patched: JsonSource, request: PatchRequest): Error {
  const { claimed, schemaOfOther: known, strictErrors, value } = document;
  const { schema, expected } = request;
  const named = lacksVersion(value) ? { ...claimed, group: groupOf(value), version: '' } : claimed;
  const decoded = decodeObject(freeSchema(expected, named, { schema, known }), patched);
  warnOf([...strictErrors, ...decoded.strictErrors], document, request);
  if (lacksVersion(value)) return missingVersion();
  const errors: FieldError[] = [];
  if (claimed.kind !== expected.kind) errors.push(invalidField('kind', claimed.kind, `must be ${expected.kind}`));
  const [is, must] = [claimed, expected].map(({ group, version }) => formatApiVersion(group, version));
  if (is !== must) errors.push(invalidField('apiVersion', is, `must be ${must}`));
  const { metadata } = decoded.object;
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return invalid({ group: claimed.group, kind: claimed.kind }, typeof name === 'string' ? name : '', errors);
}

function applyStrategic(current: Readonly<JsonObject>, request: PatchRequest): UndecodedObject {
  const { source, fieldValidation, schema } = request;
  const { patch, strictErrors } = readStrategicMergePatch(source, fieldValidation !== 'Ignore');
  const { object: merged, shown } = strategicMergePatch(current, patch, schema);
  return {
    otherKind: undefined,
    decode() {
      const object = source.faithful ? merged : unspelledOf(merged);
      const decoded = decodedOr(shown, () => decodeMerged(request, merged, object));
      const { strictErrors: found } = decoded;
      const reported =
        found.length === 0 ? found : decodeExactly(schema, plainSource(object).tree(), 'converter').strictErrors;
      return patchedObject(
        { decoded: { ...decoded, strictErrors: reported.toSorted() }, strictErrors, shown },
        request,
      );
    },
  };
}

/** `plain` has numbers where the merged object has spelled ones. */
function decodeMerged({ schema, known }: PatchRequest, object: JsonObject, plain: JsonValue): Decoded {
  try {
    return decodePatched(schema, plainSource(plain), known);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return decodePlain(schema, restore(schema, object));
  }
}

function decodedOr<T>(shown: () => string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof DecodeError ? badResult(shown(), error.message) : error;
  }
}

function badResult(shown: string, detail: string): Error {
  const error: FieldError = invalidField('patch', shown, detail);
  return invalid({ group: '', kind: '' }, '', [error]);
}
