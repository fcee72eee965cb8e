import { expect, test } from 'vitest';
import { decodeUtf8 } from './decode-utf8.ts';

test.each([
  ['c3a4e282acf09f9880', 'ä€😀'],
  ['ff41', '\ufffdA'],
  ['e28241', '\ufffd\ufffdA'],
  ['f09f98', '\ufffd\ufffd\ufffd'],
  ['c080', '\ufffd\ufffd'],
  ['e08080', '\ufffd\ufffd\ufffd'],
  ['eda080', '\ufffd\ufffd\ufffd'],
  ['f4908080', '\ufffd\ufffd\ufffd\ufffd'],
  ['c2', '\ufffd'],
])('%s is %j', (bytes, text) => {
  expect(decodeUtf8(Buffer.from(bytes, 'hex'))).toBe(text);
});

test('3 MB of invalid UTF-8 take little time', () => {
  const started = performance.now();
  expect(decodeUtf8(Buffer.alloc(3 << 20, 0xe2))).toHaveLength(3 << 20);
  expect(performance.now() - started).toBeLessThan(5_000);
});
