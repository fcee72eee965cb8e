import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { algorithmOf, parseToken, signToken, verifyToken } from './jws.ts';

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
  const token = signToken({ sub: 'x' }, privateKey, 'k');

  test('signs and verifies', () => {
    expect(algorithmOf(privateKey)).toBe(name);
    expect(parsed(token)).toMatchObject({ algorithm: name, keyId: 'k', payload: { sub: 'x' } });
    expect(verifyToken(parsed(token), publicKey)).toBe(true);
  });

  test('rejects other payloads, algorithms and keys', () => {
    const [head, , signature] = token.split('.');
    expect(verifyToken(parsed(`${head}.${encoded({ sub: 'y' })}.${signature}`), publicKey)).toBe(false);
    for (const [other, pair] of Object.entries(pairs)) {
      if (other !== name) expect(verifyToken(parsed(token), pair.publicKey)).toBe(false);
    }
  });
});

test.each(['none', 'HS256', '', 'rs256'])('the algorithm %j verifies nothing', (alg) => {
  const signed = `${encoded({ alg })}.${encoded({ sub: 'x' })}`;
  const secret = rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const signature = createHmac('sha256', secret).update(signed).digest('base64url');
  expect(verifyToken(parsed(`${signed}.${signature}`), createPublicKey(secret))).toBe(false);
  expect(verifyToken(parsed(`${signed}.`), rsa.publicKey)).toBe(false);
});

test.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', `${encoded({})}.${encoded([])}.x`, `${encoded({})}.${encoded({})}.=`])(
  '%j is no token',
  (text) => expect(parseToken(text)).toBeUndefined(),
);
