import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatheredBytes } from './gathered-bytes.ts';

function gathered(chunks: Iterable<Buffer>): GatheredBytes {
  const bytes = new GatheredBytes();
  for (const chunk of chunks) bytes.add(chunk);
  return bytes;
}

test('chunks of any size are gathered in order', () => {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.integer({ min: 1000, max: 40_000 }).map((size) => Buffer.alloc(size, size)),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 60, size: 'max' }), (chunks) => {
      const bytes = gathered(chunks);
      const whole = Buffer.concat(chunks);
      expect(bytes.length).toBe(whole.length);
      expect(Buffer.concat(bytes.parts()).equals(whole)).toBe(true);
    }),
  );
});

test('a single chunk is not copied', () => {
  const chunk = Buffer.from('{}');
  expect(gathered([chunk]).parts()[0]).toBe(chunk);
});

test('chunks of a byte are joined', () => {
  const chunks = Array.from({ length: 100_000 }, (_, index) => Buffer.from([index]));
  expect(gathered(chunks).parts().length).toBeLessThan(10);
});

test('chunks that follow each other in memory are not copied', () => {
  const whole = Buffer.from(new SharedArrayBuffer(5000));
  const bytes = gathered([whole.subarray(0, 10), whole.subarray(10, 3000), whole.subarray(3000)]);
  expect(bytes.whole().buffer).toBe(whole.buffer);
  expect(bytes.whole().length).toBe(5000);
});
