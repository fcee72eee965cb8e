import type { JsonObject } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { type Document, jsonTextOf } from '../../src/codec/document.ts';
import { jsonSerializer } from '../../src/codec/json-serializer.ts';
import { BodySyntaxError } from '../../src/codec/serializer.ts';
import type { Encoding } from '../../src/http/forms/encoding.ts';
import type { Form } from '../../src/http/forms/form.ts';

export const netstrings = 'application/x-netstring';

function netstring(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text)}:${text},`);
}

/** The content of a netstring. Throws if malformed. */
export function fromNetstring(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes);
  const colon = text.indexOf(':');
  const size = Number(text.toString('latin1', 0, colon));
  if (colon < 1 || text.length !== colon + size + 2) throw new BodySyntaxError('no netstring');
  return text.subarray(colon + 1, -1);
}

/** Length-prefixed JSON; the minimum for an encoding, plus watches. */
export const netstringEncoding: Encoding = {
  serializer: {
    mediaType: netstrings,
    decode: (bytes) => jsonSerializer.decode(fromNetstring(bytes)),
    write: (document) => netstring(jsonTextOf(document)),
  },
  events: {
    contentType: netstrings,
    name: netstrings,
    isText: true,
    write: (type, document) => netstring(`{"type":"${type}","object":${jsonTextOf(document)}}`),
  },
};

const apiVersion = 'names.example.com/v1';

function names(objects: readonly KubernetesObject[]): Document {
  const object: JsonObject = { kind: 'Names', apiVersion, names: objects.map(({ metadata }) => metadata.name ?? '') };
  return { object, schema: undefined };
}

/** Only the names of objects. */
export const namesForm: Form = {
  requested: { as: 'Names', group: 'names.example.com', versions: ['v1'] },
  ofStoredVersion: true,
  object: (_asked, object) => names([object]),
  list: () => undefined,
  async whole(_asked, _list, objects) {
    const all: KubernetesObject[] = [];
    for await (const object of objects) all.push(object);
    return names(all);
  },
  events: () => ({ isShared: true, object: (object) => names([object]), bookmark: () => names([]) }),
};
