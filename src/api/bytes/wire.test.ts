import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

test('integers round-trip, as numbers and as BigInts', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const bytes = new WireWriter().integer(3, value).finish();
      const reader = new WireReader(bytes);
      expect(reader.tag()).toEqual({ number: 3, wireType: wireTypes.varint });
      expect(reader.integer()).toBe(value);
      expect(reader.done).toBe(true);
      const again = new WireReader(bytes);
      again.tag();
      expect(BigInt.asIntN(64, again.varint())).toBe(BigInt(value));
    }),
  );
});

test('the bytes are those of the protobuf documentation', () => {
  expect(new WireWriter().integer(1, 150).finish().toString('hex')).toBe('089601');
  expect(new WireWriter().bytes(2, Buffer.from('testing')).finish().toString('hex')).toBe('120774657374696e67');
  expect(new WireWriter().message(3, new WireWriter().integer(1, 150)).finish().toString('hex')).toBe('1a03089601');
  expect(new WireWriter().integer(1, -2).finish().toString('hex')).toBe('08feffffffffffffffff01');
});

/** A message of one field each. */
type Tree = { readonly number: number; readonly content: Uint8Array | number | bigint | readonly Tree[] };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    number: fc.integer({ min: 1, max: 2 ** 29 - 1 }),
    content: fc.oneof(
      { maxDepth: 5 },
      fc.uint8Array({ maxLength: 20 }),
      // Around the lengths from which on a length takes another byte.
      fc.constantFrom(126, 127, 128, 16_383, 16_384).map((length) => new Uint8Array(length).fill(7)),
      fc.maxSafeInteger(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.array(tie('tree'), { maxLength: 6 }),
    ),
  }),
}));

function writerOf(trees: readonly Tree[]): WireWriter {
  const writer = new WireWriter();
  for (const { number, content } of trees) {
    if (typeof content === 'number') writer.integer(number, content);
    else if (typeof content === 'bigint') writer.bigint(number, content);
    else if (content instanceof Uint8Array) writer.bytes(number, content);
    else writer.message(number, writerOf(content));
  }
  return writer;
}

function expectTrees(reader: WireReader, trees: readonly Tree[]): void {
  for (const { number, content } of trees) {
    const isInteger = typeof content === 'number' || typeof content === 'bigint';
    expect(reader.tag()).toEqual({ number, wireType: isInteger ? wireTypes.varint : wireTypes.bytes });
    if (isInteger) expect(BigInt.asIntN(64, reader.varint())).toBe(BigInt(content));
    else if (content instanceof Uint8Array) expect(Buffer.compare(reader.bytes(), content)).toBe(0);
    else expectTrees(new WireReader(reader.bytes()), content);
  }
  expect(reader.done).toBe(true);
}

test('messages within messages round-trip, with and without their length', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 6 }), (trees) => {
      const bytes = writerOf(trees).finish();
      expectTrees(new WireReader(bytes), trees);
      // As the only field of a message, after a tag of one byte.
      const field = new WireWriter().message(1, writerOf(trees)).finish();
      expect(writerOf(trees).finishDelimited().equals(field.subarray(1))).toBe(true);
    }),
  );
});

test('truncated and endless input is refused', () => {
  expect(() => new WireReader(Buffer.from('0896', 'hex')).tag()).not.toThrow();
  const cut = new WireReader(Buffer.from('0896', 'hex'));
  cut.tag();
  expect(() => cut.integer()).toThrow(ProtobufError);
  expect(() => new WireReader(Buffer.alloc(12, 0xff)).integer()).toThrow('proto: integer overflow');
});

test('unsafe integers are refused', () => {
  expect(() => new WireWriter().integer(1, 2 ** 53)).toThrow(RangeError);
});
