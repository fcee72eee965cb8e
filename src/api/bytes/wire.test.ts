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
