import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { typedSource } from '../decode-body.ts';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonValue } from '../../api/json/json.ts';
import { hasNotedFloats, isNotedFloat } from '../../api/json/written-notes.ts';
import { encodeAny } from '../../api/json/json-text.ts';
import { decodeObject } from '../../schema/decode.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../schema/schema.ts';
import { cborSerializer, decodeCborMap } from '../cbor-serializer.ts';
import { parseJson } from '../json.ts';
import { BodySyntaxError } from '../serializer.ts';
import { AnyDecoder } from './any-decoder.ts';
import { CborError } from './cbor-errors.ts';
import { decodeCbor } from './decode.ts';
import { diagnose } from './diagnose.ts';
import { encodeCbor } from './encode.ts';
import { ItemReader } from './item-reader.ts';
import { checkWellFormed, maxNestedLevels } from './well-formed.ts';

// Results of the k8s.io/apimachinery 0.37.1 codec: untyped items, bodies of a kind, objects of JSON.
interface RecordedItem {
  readonly item: string;
  readonly error?: string;
  readonly json?: string;
  /** The value re-encoded; absent where plain data cannot distinguish an integral float from an integer. */
  readonly again?: string;
  /** The item in diagnostic notation. */
  readonly shown?: string;
}

interface RecordedObject {
  readonly name: string;
  readonly mode: 'strict' | 'lax';
  /** The expected group, version and kind. */
  readonly kind: string;
  readonly item: string;
  readonly error?: string;
  readonly json?: string;
  readonly strict?: string;
}

interface RecordedEncoding {
  readonly kind: string;
  readonly json: string;
  readonly item: string;
}

function recorded<T>(name: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`recorded-${name}.json`, import.meta.url), 'utf8')) as T[]; // written for this
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function kindOf(text: string): GroupVersionKind {
  const [group = '', version = '', kind = ''] = text.split('/');
  return { group, version, kind };
}

function schemaOf(kind: string): Schema {
  const schema = schemaOfKind(kindOf(kind));
  if (schema === undefined) throw new Error(`no ${kind}`);
  return schema;
}

function decodeAny(bytes: Uint8Array): JsonValue {
  checkWellFormed(bytes);
  const decoder = new AnyDecoder(new ItemReader(bytes));
  const value = decoder.any();
  if (decoder.error !== undefined) throw decoder.error;
  return value;
}

function errorOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof CborError || error instanceof BodySyntaxError || error instanceof DecodeError) {
      return error.message;
    }
    throw error;
  }
}

const prefix = 'd9d9f7';

describe('untyped items', () => {
  const items = recorded<RecordedItem>('items');

  test.each(items.filter(({ error }) => error !== undefined))('$item: $error', ({ item, error }) => {
    expect(errorOf(() => decodeAny(bytesOf(item)))).toBe(error);
  });

  test.each(items.filter(({ json }) => json !== undefined))('$item is $json', ({ item, json = '', again, shown }) => {
    expect(diagnose(bytesOf(item))).toBe(shown);
    const value = decodeAny(bytesOf(item));
    // As JSON, -0 is read as an integer, which has no sign.
    expect(encodeAny(value)).toBe(json === '-0' ? json : encodeAny(parseJson(Buffer.from(json)).value));
    if (again !== undefined) expect(encodeCbor(undefined, value).toString('hex')).toBe(prefix + again);
  });
});

describe('bodies of a kind', () => {
  // Errors detected outside of the codec.
  const isElsewhere = /^no kind |^Object 'apiVersion' is missing/;
  const objects = recorded<RecordedObject>('objects').filter(({ error = '' }) => !isElsewhere.test(error));

  test.each(objects)('$name ($mode)', ({ mode, kind, item, error, json = '', strict }) => {
    const schema = schemaOf(kind);
    const read = (): string => {
      const body = cborSerializer.decode(bytesOf(item));
      const text = encodeJson(schema, decodeObject(schema, typedSource(schema, body)).object);
      if (mode === 'strict') expect(body.strictErrors).toEqual(strict === undefined ? [] : [strict]);
      return text;
    };
    if (error !== undefined) expect(errorOf(read)).toBe(error);
    else expect(parseJson(Buffer.from(read())).value).toEqual(parseJson(Buffer.from(json)).value);
  });
});

describe('objects are written byte for byte as the reference writes them', () => {
  test.each(recorded<RecordedEncoding>('encodings'))('$kind', ({ kind, json, item }) => {
    const schema = schemaOf(kind);
    const { object } = decodeObject(schema, parseJson(Buffer.from(json)));
    expect(encodeCbor(schema, object).toString('hex')).toBe(item);
    const wire = parseJson(Buffer.from(encodeJson(schema, object))).value;
    expect(encodeCbor(schema, wire).toString('hex')).toBe(item);
    const body = cborSerializer.decode(bytesOf(item));
    const read = decodeObject(schema, typedSource(schema, body)).object;
    expect(encodeJson(schema, read)).toBe(encodeJson(schema, object));
  });
});

test('schemaless maps', () => {
  expect(decodeCborMap(bytesOf('d9d9f7a1416101'))).toEqual({ a: 1 });
  expect(decodeCborMap(bytesOf('f6'))).toEqual({});
  const refused = [
    ['', 'EOF'],
    ['80', 'cbor: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['81f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
    ['a10101', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    ['a2416101416101', 'cbor: found duplicate map key "a" at map element index 1'],
  ] as const;
  for (const [item, error] of refused) expect(errorOf(() => decodeCborMap(bytesOf(item)))).toBe(error);
});

test('for custom resources the data decides, not the schema', () => {
  const text: Schema = { type: 'string', format: 'byte', goType: 'string' };
  const field = { name: 'data', schema: text, required: false, pointer: false, omit: 'empty' } as const;
  const structure = { goName: '', fields: new Map([['data', field]]) };
  const schema: Schema = { type: 'object', goType: '', structure };
  const object = { kind: 'Boat', apiVersion: 'example.com/v1', data: 'AQI=', other: { b: 1.5, a: [null, -1] } };
  const written = encodeCbor(schema, object);
  expect(written).toEqual(encodeCbor(undefined, object));
  expect(decodeCbor(schema, written)).toEqual({ value: object, strictErrors: [] });
  // Without a type, bytes in that tag decode to base64.
  expect(decodeCbor(schema, bytesOf('a14464617461d6420102')).value).toEqual({ data: 'AQI=' });
  expect(errorOf(() => decodeCbor(schema, bytesOf('80')))).toContain('map[string]interface {}');
});

describe('limits', () => {
  test('a length beyond the end is refused before any allocation', () => {
    for (const head of ['9a7fffffff', 'ba00200000', '5b000000ffffffffff', '7b000000ffffffffff']) {
      expect(errorOf(() => decodeAny(bytesOf(head)))).toBe('unexpected EOF');
    }
  });

  test('nesting is bounded, and decoded up to the bound', () => {
    const nested = (levels: number, head: number): Buffer =>
      Buffer.concat([Buffer.alloc(levels, head), bytesOf(head === 0x81 ? '80' : 'f6')]);
    const error = `cbor: exceeded max nested level ${maxNestedLevels}`;
    expect(errorOf(() => decodeAny(nested(maxNestedLevels, 0x81)))).toBe(error);
    expect(errorOf(() => decodeAny(nested(1_000_000, 0xc6)))).toBe(error);
    expect(decodeAny(nested(maxNestedLevels, 0xc6))).toBeNull();
    let value = decodeAny(nested(maxNestedLevels - 1, 0x81));
    let depth = 0;
    for (; Array.isArray(value) && value.length > 0; depth++) value = value[0] ?? null;
    expect(depth).toBe(maxNestedLevels - 1);
  });

  test('user-defined keys are data', () => {
    const value = decodeAny(bytesOf('a1495f5f70726f746f5f5fa14161f5'));
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe('properties', () => {
  const plain = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<JsonValue>(null, true, false, '__proto__', 2n ** 63n - 1n, -(2n ** 63n)),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { maxLength: 30 }),
      fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 30 }),
    ),
  })).value;

  test('untyped data round-trips', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(encodeAny(decodeAny(encodeCbor(undefined, value)))).toBe(encodeAny(value));
      }),
    );
  });

  test('any bytes are decoded or refused', () => {
    const schema = schemaOf('/v1/Pod');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        errorOf(() => decodeAny(bytes));
        errorOf(() => typedSource(schema, cborSerializer.decode(bytes)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('many values of other types', () => {
  const text: Schema = { type: 'string', goType: 'string' };
  const count = 300_000;
  /** A list, or a map with as many keys, of numbers instead of strings. */
  const bodies = {
    list: {
      schema: { type: 'array', goType: '[]string', items: text } satisfies Schema,
      bytes: Buffer.concat([Buffer.from('9a000493e0', 'hex'), Buffer.alloc(count)]),
    },
    map: {
      schema: { type: 'map', goType: 'map[string]string', items: text } satisfies Schema,
      bytes: Buffer.concat([Buffer.from('ba000493e0', 'hex'), Buffer.alloc(count * 3, Buffer.from('416100', 'hex'))]),
    },
  };

  test.each(Object.entries(bodies))('of a %s are detected quickly', (_, { schema, bytes }) => {
    const decode = (): void => expect(() => decodeCbor(schema, bytes)).toThrow('cannot unmarshal');
    expect(cpuTimeRatio(decode, 1200, 2)).toBeLessThan(1);
  });
});

test('a key that occurs again is the error of a map, whatever its values are', () => {
  const schema: Schema = {
    type: 'map',
    goType: 'map[string][]string',
    items: { type: 'array', goType: '[]string', items: { type: 'string', goType: 'string' } },
  };
  const wrongList = '820141ff';
  expect(errorOf(() => decodeCbor(schema, bytesOf(`a34161${wrongList}41628041628000`.slice(0, -2))))).toBe(
    'cbor: found duplicate map key "b" at map element index 2',
  );
});

/** An object with a whole float, and a list with an integer and a whole float; the second has floats of 16 bits. */
test.each(['a24161fb3ff0000000000000416c8201fb3ff0000000000000', 'a24161f93c00416c8201f93c00'])(
  'whole floats are noted: %s',
  (item) => {
    const decoded = decodeCborMap(Buffer.from(item, 'hex'));
    const list = decoded['l'] as JsonValue[];
    expect(decoded).toEqual({ a: 1, l: [1, 1] });
    expect([isNotedFloat(decoded, 'a'), isNotedFloat(list, 0), isNotedFloat(list, 1)]).toEqual([true, false, true]);
  },
);

test('integers are not noted as floats', () => {
  const decoded = decodeCborMap(Buffer.from('a2416182f93c0001416201', 'hex'));
  expect([hasNotedFloats(decoded), isNotedFloat(decoded['a'] as JsonValue[], 1)]).toEqual([false, false]);
});
