import { dump, JSON_SCHEMA, load } from 'js-yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { decodeCborMap } from '../../src/codec/cbor-serializer.ts';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { ownForms } from '../compare-codecs/own-codecs.ts';
import type { Form } from './script.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';

export const mediaTypes: { readonly [form in Form]: string } = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf,
  cbor: 'application/cbor',
};

/** A body in a form. */
export function written(body: unknown, form: Form): string | Uint8Array {
  if (typeof body === 'string') return body;
  if (form === 'yaml') return dump(body);
  if (form === 'cbor') return encodeCbor(undefined, body as JsonObject); // data of a script
  const json = JSON.stringify(body);
  return form === 'json' ? json : converted(Buffer.from(json), { from: 'application/json', to: protobuf });
}

/** A response as data: JSON, lines of JSON, YAML, CBOR or protobuf; everything else as text. */
export function read(bytes: Buffer, contentType: string): JsonValue {
  if (contentType.startsWith(protobuf) && bytes.subarray(0, 3).toString() === 'k8s') return readProtobuf(bytes);
  if (contentType.startsWith('application/cbor')) return decodeCborMap(bytes);
  if (contentType.startsWith('application/yaml')) return load(bytes.toString(), { schema: JSON_SCHEMA }) as JsonValue;
  return readText(bytes.toString());
}

/** A bookmark that comes by the clock. */
export function isTimed(line: string): boolean {
  return line.includes('"type":"BOOKMARK"') && !line.includes('initial-events-end');
}

function readText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    const lines = text
      .trimEnd()
      .split('\n')
      .filter((line) => !isTimed(line));
    try {
      return lines.length > 1 ? lines.map((line) => JSON.parse(line) as JsonValue) : text;
    } catch {
      return text;
    }
  }
}

function readProtobuf(bytes: Buffer): JsonValue {
  try {
    const json = converted(bytes, { from: protobuf, to: 'application/json' });
    return JSON.parse(Buffer.from(json).toString()) as JsonValue;
  } catch (error) {
    return `protobuf that cannot be read: ${error instanceof Error ? error.message : ''}`;
  }
}

function converted(body: Uint8Array, { from, to }: { readonly from: string; readonly to: string }): Uint8Array {
  const forms = ownForms(kindOf(body, from), { mediaType: from, body, wanted: [to] });
  if ('error' in forms) throw new Error(forms.error);
  const part = forms.bodies.get(to);
  if (part === undefined || 'error' in part) throw new Error(part?.error ?? `not in ${to}`);
  return part.body;
}

/** The kind that a body names. */
function kindOf(body: Uint8Array, mediaType: string): { group: string; version: string; kind: string } {
  const { apiVersion = '', kind = '' } = mediaType === protobuf ? envelopeOf(body) : objectOf(body);
  const parts = String(apiVersion).split('/');
  return { group: parts.length === 2 ? (parts[0] ?? '') : '', version: parts.at(-1) ?? '', kind: String(kind) };
}

function objectOf(body: Uint8Array): JsonObject {
  const value = JSON.parse(Buffer.from(body).toString()) as JsonValue;
  return isJsonObject(value) ? value : {};
}

/** `TypeMeta`, the first field of the envelope after its four magic bytes; both its texts are short. */
function envelopeOf(body: Uint8Array): JsonObject {
  const texts: string[] = [];
  const [, , , , , length = 0] = body;
  for (let at = 6; at < 6 + length;) {
    const size = body[at + 1] ?? 0;
    texts.push(Buffer.from(body.subarray(at + 2, at + 2 + size)).toString());
    at += 2 + size;
  }
  return { apiVersion: texts[0] ?? '', kind: texts[1] ?? '' };
}
