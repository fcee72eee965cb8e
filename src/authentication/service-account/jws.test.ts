import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signedToken } from '../../../test/signed-token.ts';
import { parseToken, signToken, verifyToken } from './jws.ts';
import { algorithmOf } from './token-algorithms.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curves = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' } as const;
const pairs = {
  RS256: rsa,
  ...Object.fromEntries(
    Object.entries(curves).map(([name, namedCurve]) => [name, generateKeyPairSync('ec', { namedCurve })]),
  ),
};

function parsed(token: string) {
  const result = parseToken(token);
  if (result === undefined) throw new Error('no token');
  return result;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each(Object.entries(pairs))('%s', (name, { privateKey, publicKey }) => {
  test('signs and verifies', async () => {
    expect(algorithmOf(privateKey)).toBe(name);
    for (const token of [await signToken({ sub: 'x' }, privateKey, 'k'), signedToken({ sub: 'x' }, privateKey, 'k')]) {
      expect(parsed(token)).toMatchObject({ algorithm: name, keyId: 'k', payload: { sub: 'x' } });
      expect(await verifyToken(parsed(token), publicKey)).toBe(true);
    }
  });

  test('rejects other payloads, algorithms and keys', async () => {
    const token = await signToken({ sub: 'x' }, privateKey, 'k');
    const [head, , signature] = token.split('.');
    expect(await verifyToken(parsed(`${head}.${encoded({ sub: 'y' })}.${signature}`), publicKey)).toBe(false);
    for (const [other, pair] of Object.entries(pairs)) {
      if (other !== name) expect(await verifyToken(parsed(token), pair.publicKey)).toBe(false);
    }
  });
});

test.each(['none', 'HS256', '', 'rs256'])('the algorithm %j verifies nothing', async (alg) => {
  const signed = `${encoded({ alg })}.${encoded({ sub: 'x' })}`;
  const secret = rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const signature = createHmac('sha256', secret).update(signed).digest('base64url');
  expect(await verifyToken(parsed(`${signed}.${signature}`), createPublicKey(secret))).toBe(false);
  expect(await verifyToken(parsed(`${signed}.`), rsa.publicKey)).toBe(false);
});

test('short RSA keys neither sign nor verify', async () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  expect(algorithmOf(short.publicKey)).toBe('');
  expect(await verifyToken(parsed(signedToken({ sub: 'x' }, short.privateKey, 'k')), short.publicKey)).toBe(false);
});

test.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', `${encoded({})}.${encoded([])}.x`, '!.!.!'])('%j is no token', (text) =>
  expect(parseToken(text)).toBeUndefined(),
);

test('a signature that is not base64 verifies nothing', async () => {
  expect(await verifyToken(parsed(`${encoded({ alg: 'RS256' })}.${encoded({})}.=`), rsa.publicKey)).toBe(false);
});
