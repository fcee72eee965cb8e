import { expect, test } from 'vitest';
import { finish } from '../api/turns.ts';
import { encodeV3 } from './gnostic-v3.ts';
import recorded from './testdata/gnostic-v3.json' with { type: 'json' };

test('a document with all supported features equals, byte for byte, the result of gnostic', () => {
  expect(finish(encodeV3(recorded.document)).toString('base64')).toBe(recorded.protobuf);
});
