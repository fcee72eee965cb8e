import { expect, test } from 'vitest';
import { detachedSignature } from './bootstrap-signer.ts';

test('the signature is a JWS without its content', () => {
  // HMAC-SHA-256 of `head.content`, by hand: printf ... | openssl dgst -sha256 -hmac 0123456789abcdef
  const signature = detachedSignature('content', { id: 'abcdef', secret: '0123456789abcdef' });
  const [head, content, mac, ...more] = signature.split('.');
  expect(Buffer.from(head ?? '', 'base64url').toString()).toBe('{"alg":"HS256","kid":"abcdef"}');
  expect([content, more]).toEqual(['', []]);
  expect(mac).toBe('psz1NayrXM3IaFzKZGsb5n_mBl7MjtlsZ1xE8MRmF_4');
});
