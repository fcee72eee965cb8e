import { expect, test } from 'vitest';
import { encodeV3 } from './gnostic-v3.ts';
import recorded from './testdata/gnostic-v3.json' with { type: 'json' };

test('a document with all supported features equals, byte for byte, the result of gnostic', () => {
  expect(encodeV3(recorded.document).toString('base64')).toBe(recorded.protobuf);
});
