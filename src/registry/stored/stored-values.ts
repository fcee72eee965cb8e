import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../../api/meta/group-version.ts';
import type { Clock } from '../../api/time/clock.ts';
import { canonicalBase64 } from '../../api/bytes/base64.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { decodeProtobuf } from '../../codec/protobuf/decode.ts';
import { encodeEnvelope, readEnvelope } from '../../codec/protobuf/envelope.ts';
import { notRegistered } from '../../codec/claimed-kind.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import type { JsonSource } from '../../api/json/json-tree.ts';
import { unknownConversionText } from '../../schema/kubernetes/internal-kind.ts';
import { parseStored } from '../../codec/stored-json.ts';
import { encodeForStorage } from '../../codec/stored-object.ts';
import { decodeObject } from '../../schema/decode.ts';
import { applyDefaults } from '../../schema/default.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Schema } from '../../schema/schema.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import { withStoredZeroTimes } from '../../schema/zero-times.ts';
import { readsEncrypted } from '../../storage/encryption/identity.ts';
import { isEncrypted } from '../../storage/encryption/transformer.ts';
import type { ReadValue, Translation } from '../../storage/translated.ts';
import type { Converter } from '../kinds/conversion.ts';
import type { Strategy } from '../kinds/strategy.ts';

/** The format of objects in a store that others may write to as well. */
export interface StoreFormat {
  readonly encoding: 'json' | 'protobuf';
  /** How objects of a custom kind are in a store that others write to; absent: nobody else does. */
  readonly custom?: (kind: Pick<Resource, 'schema'>) => Translation;
  /** Schema of every kind that objects may ever have been stored as. */
  readonly schemaOf: (kind: GroupVersionKind) => Schema | undefined;
}

export interface WrittenVersion extends GroupVersionKind {
  readonly schema: Schema;
}

export interface StoredValuesOptions {
  /** The record of the version above the store. */
  readonly stored: Resource;
  /** The version to write, if different: one that an older release can read. */
  readonly written?: WrittenVersion | undefined;
  readonly converter: Converter;
  readonly defaulters: Defaulters;
  /** For defaults that are times. */
  readonly clock: Clock;
  readonly strategy: Pick<Strategy, 'complete'>;
}

/**
 * Translates the values of a kind. Above the store they are JSON as sent to clients, in one version and defaulted:
 *
 * | in the store                                     | above                                                |
 * |--------------------------------------------------|------------------------------------------------------|
 * | our JSON: kind and version first, `}` at the end | the same bytes                                       |
 * | foreign JSON, or `k8s\0` and a message           | the object, converted and defaulted, in our JSON     |
 *
 * Other writers are kube-apiserver, whose JSON ends in a newline, other releases, and people with etcd tools.
 */
export function storedValues(options: StoredValuesOptions, given: StoreFormat): Translation {
  const { stored } = options;
  const format: StoreFormat = jsonGroups.has(stored.group) ? { ...given, encoding: 'json' } : given;
  // Objects of definitions are JSON wherever they are, in an order of their own.
  if (isUnstructuredKind(stored)) {
    return format.custom?.(stored) ?? plainValues;
  }
  const start = Buffer.from(
    `{"kind":"${stored.kind}","apiVersion":"${formatApiVersion(stored.group, stored.version)}",`,
  );
  return {
    read: (value) => (isOwn(value, start) ? { value } : ownForm(options, format, readForeign(value, format, stored))),
    write: (value) => writeValue(options, format, value),
  };
}

/** Groups stored by the reference's other servers, which always write JSON. */
const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
const newline = 0x0a;
const openBrace = 0x7b;
const blanks: ReadonlySet<number> = new Set(Buffer.from('\t\n\v\f\r '));
const closeBrace = 0x7d;
export const protobufMark = Buffer.from('k8s\0', 'latin1');

export const plainValues: Translation = {
  read(value) {
    checkPlain(value);
    return { value: value.at(-1) === newline ? value.subarray(0, -1) : value };
  },
  write: (value) => value,
};

/** Compared natively: a start asks this so often that V8 would load its optimizing compiler for a loop. */
function isOwn(value: Uint8Array, start: Buffer): boolean {
  return value.length > start.length && value.at(-1) === closeBrace && start.compare(value, 0, start.length) === 0;
}

export function startsWith(value: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at++) if (value[at] !== start[at]) return false;
  return true;
}

/** An object with the schema of its version. */
interface Versioned {
  readonly encoding: StoreFormat['encoding'];
  readonly schema: Schema;
  readonly object: KubernetesObject;
}

/** Errors are the reference's: clients see them in answers about objects that cannot be read. */
function readForeign(value: Uint8Array, { schemaOf }: StoreFormat, stored: GroupVersionKind): Versioned {
  checkPlain(value);
  const isMessage = startsWith(value, protobufMark);
  const { apiVersion, kind, decode } = isMessage ? readMessage(value) : readText(jsonOf(value));
  const parsed = parseApiVersion(apiVersion);
  const schema = parsed === undefined ? undefined : schemaOf({ ...parsed, kind });
  if (schema === undefined) throw new Error(notRegistered({ ...(parsed ?? noVersion), kind }));
  if (kind !== stored.kind) throw new Error(unknownConversionText(schema, stored));
  const decoded = decode(schema);
  // Every stored value is an object.
  return {
    encoding: isMessage ? 'protobuf' : 'json',
    schema,
    object: { ...decoded, kind, apiVersion, metadata: decoded['metadata'] ?? {} } as KubernetesObject,
  };
}

const noVersion = { group: '', version: '' };

/** What begins with a brace, after blanks, is JSON; anything else the reference tries as base64 last. */
function jsonOf(value: Uint8Array): Uint8Array {
  let start = 0;
  while (blanks.has(value[start] ?? 0)) start += 1;
  if (value[start] === openBrace) return value.subarray(start);
  canonicalBase64(Buffer.from(value).toString('latin1'));
  throw new Error('unknown encoding of a stored object');
}

/** Throws for an encrypted value: this server has no key for the resource. */
function checkPlain(value: Uint8Array): void {
  if (isEncrypted(value)) throw readsEncrypted();
}

interface Encoded {
  readonly apiVersion: string;
  readonly kind: string;
  readonly decode: (schema: Schema) => JsonObject;
}

function readMessage(value: Uint8Array): Encoded {
  const { raw, ...type } = readEnvelope(value);
  return { ...type, decode: (schema) => decodeProtobuf(schema, raw) };
}

function readText(value: Uint8Array): Encoded {
  const source = parsedText(value);
  const { apiVersion, kind } = isJsonObject(source.value) ? source.value : {};
  const text = (part: JsonValue | undefined): string => (typeof part === 'string' ? part : '');
  return {
    apiVersion: text(apiVersion),
    kind: text(kind),
    decode: (schema) => decodeObject(schema, source).object,
  };
}

function parsedText(value: Uint8Array): JsonSource {
  try {
    return parseStored(value);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new Error(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
  }
}

/** The object above the store. It gets the defaults of the version it was stored in. */
function ownForm(
  { stored, written = stored, converter, defaulters, strategy, clock }: StoredValuesOptions,
  format: StoreFormat,
  { encoding, schema, object }: Versioned,
): ReadValue {
  const { apiVersion } = object;
  applyDefaults(schema, object, defaulters, clock);
  const current = converted(converter, object, stored);
  applyDefaults(stored.schema, current, defaulters, clock);
  strategy.complete?.(current);
  return {
    value: encodeForStorage(stored.schema, current),
    stale: encoding !== format.encoding || apiVersion !== typeOf(written).apiVersion,
  };
}

function writeValue(
  { stored, written, converter }: StoredValuesOptions,
  { encoding }: StoreFormat,
  value: Uint8Array,
): Uint8Array {
  if (written === undefined && encoding === 'json') return value;
  const source = parseStored(value);
  if (!isJsonObject(source.value)) return value;
  if (written === undefined) return encodeEnvelope(typeOf(stored), stored.schema, source.value);
  const object = withStoredZeroTimes(stored.schema, decodeObject(stored.schema, source).object, source.value);
  const { kind, apiVersion } = typeOf(stored);
  // Decoded by the schema of its kind.
  const other = converted(converter, { ...object, kind, apiVersion } as KubernetesObject, written);
  return encoding === 'json'
    ? encodeForStorage(written.schema, other)
    : encodeEnvelope(typeOf(written), written.schema, other);
}

function typeOf({ group, version, kind }: GroupVersionKind): { readonly kind: string; readonly apiVersion: string } {
  return { kind, apiVersion: formatApiVersion(group, version) };
}

function converted(converter: Converter, object: KubernetesObject, target: GroupVersionKind): KubernetesObject {
  const result = converter.convert([object], target);
  // Conversions of built-in kinds are synchronous.
  const [only] = result instanceof Promise ? [] : result;
  if (only === undefined) throw new Error(`the conversion of ${target.kind} is asynchronous`);
  return only;
}
