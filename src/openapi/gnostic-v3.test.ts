import { expect, test } from 'vitest';
import { encodeV3 } from './gnostic-v3.ts';
import recorded from './testdata/gnostic-v3.json' with { type: 'json' };

test('a document with all that ours may have is, byte for byte, what gnostic makes of it', () => {
  expect(encodeV3(recorded.document).toString('base64')).toBe(recorded.protobuf);
});
