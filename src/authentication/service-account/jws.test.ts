import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signedToken } from '../../../test/signed-token.ts';
import { parseIfToken, parseToken, readSigned, signatureProblem, signToken, untrustedIssuer } from './jws.ts';
import { claimsOf } from './claims.ts';
import { algorithmOf } from './token-algorithms.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curves = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' } as const;
const pairs = {
  RS256: rsa,
  ...Object.fromEntries(
    Object.entries(curves).map(([name, namedCurve]) => [name, generateKeyPairSync('ec', { namedCurve })]),
  ),
};
const failed = 'go-jose/go-jose: error in cryptographic primitive';

const coded = (text: string): string => Buffer.from(text).toString('base64url');
const encoded = (value: unknown): string => coded(JSON.stringify(value));

/** Signed by the RSA key. */
function token(header: string, payload = '{"sub":"x"}', signed = `${coded(header)}.${coded(payload)}`): string {
  return `${coded(header)}.${coded(payload)}.${sign('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url')}`;
}

describe.each(Object.entries(pairs))('%s', (name, { privateKey, publicKey }) => {
  test('signs and verifies', () => {
    expect(algorithmOf(privateKey)).toBe(name);
    for (const text of [signToken({ sub: 'x' }, privateKey, 'k'), signedToken({ sub: 'x' }, privateKey, 'k')]) {
      expect(parseToken(text)).toMatchObject({ algorithm: name, keyId: 'k', payload: Buffer.from('{"sub":"x"}') });
      expect(signatureProblem(parseToken(text), publicKey)).toBeUndefined();
    }
  });

  test('rejects other payloads, algorithms and keys', () => {
    const text = signToken({ sub: 'x' }, privateKey, 'k');
    const [head, , signature] = text.split('.');
    const other = parseToken(`${head}.${encoded({ sub: 'y' })}.${signature}`);
    expect(signatureProblem(other, publicKey)).toBe(failed);
    for (const [otherName, pair] of Object.entries(pairs)) {
      if (otherName !== name) expect(signatureProblem(parseToken(text), pair.publicKey)).toBe(failed);
    }
  });
});

test.each(['none', 'HS256', '', 'rs256'])('the algorithm %j verifies nothing', (alg) => {
  const signed = `${encoded({ alg })}.${encoded({ sub: 'x' })}`;
  const secret = rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const signature = createHmac('sha256', secret).update(signed).digest('base64url');
  expect(signatureProblem(parseToken(`${signed}.${signature}`), createPublicKey(secret))).toBe(failed);
  expect(signatureProblem(parseToken(`${signed}.`), rsa.publicKey)).toBe(failed);
});

test('short RSA keys neither sign nor verify', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  expect(algorithmOf(short.publicKey)).toBe('');
  const text = signedToken({ sub: 'x' }, short.privateKey, 'k');
  expect(signatureProblem(parseToken(text), short.publicKey)).toBe(failed);
});

const threeParts = 'go-jose/go-jose: compact JWS format must have three parts';

// The texts are those of kube-apiserver, in reviews of tokens of an OpenID issuer.
test.each([
  ['', threeParts],
  ['a.b', threeParts],
  ['a.b.c.d', threeParts],
  ['a.b.c', 'illegal base64 data at input byte 0'],
  ['!.!.!', 'illegal base64 data at input byte 0'],
  [`${encoded({ alg: 'RS256' })}.${encoded({})}.=`, 'illegal base64 data at input byte 0'],
  [
    token('{"alg":"RS256","kid":1}'),
    'failed to unmarshal key ID: json: cannot unmarshal number into Go value of type string: "1"',
  ],
  [
    token('{"alg":["x"]}'),
    'failed to unmarshal algorithm: json: cannot unmarshal array into Go value of type string: "[\\"x\\"]"',
  ],
  [
    token('{"alg":"RS256","nonce":{}}'),
    'failed to unmarshal nonce: json: cannot unmarshal object into Go value of type string: "{}"',
  ],
  [
    token('{"alg":"RS256","x5c":1}'),
    'failed to unmarshal x5c header: json: cannot unmarshal number into Go value of type []string: "1"',
  ],
  [
    token('{"alg":"RS256","jwk":1}'),
    'failed to unmarshal JWK: json: cannot unmarshal number into Go value of type jose.rawJSONWebKey: "1"',
  ],
  [token('{"alg":"RS256","jwk":{"kty":"oct","k":"AA"}}'), 'go-jose/go-jose: invalid embedded jwk, must be public key'],
  [token('{"alg":"RS256","alg":"RS256"}'), "json: duplicate key 'alg' in object"],
  [
    token('{"alg":"RS256","x":{"a":1,"a":1}}'),
    `failed to unmarshal value: json: duplicate key 'a' in object: "{\\"a\\":1,\\"a\\":1}"`,
  ],
  [
    token('{"alg":"RS256","x":1e999}'),
    'failed to unmarshal value: json: cannot unmarshal number 1e999 into Go value of type float64: "1e999"',
  ],
  [token('[]'), 'json: cannot unmarshal array into Go value of type jose.rawHeader'],
  [token('{"alg":"RS256",}'), "invalid character '}' looking for beginning of object key string"],
])('%s is no token', (text, why) => {
  expect(() => parseToken(text)).toThrow(expect.objectContaining({ message: why }));
  expect(parseIfToken(text)).toBeUndefined();
});

test.each([
  ['{"alg":"RS256","crit":["x"]}', failed],
  ['{"alg":"RS256","crit":1}', 'json: cannot unmarshal number into Go value of type []string'],
  ['{"alg":"RS256","crit":[1]}', 'json: cannot unmarshal number into Go value of type string'],
  ['{"ALG":"RS256"}', failed],
  ['{"alg":"RS256","b64":false}', failed],
  ['null', failed],
  ['', failed],
])('a signature with the header %s does not count', (header, problem) =>
  expect(signatureProblem(parseToken(token(header)), rsa.publicKey)).toBe(problem),
);

test.each([
  '{"alg":"RS256","kid":null}',
  '{"alg":"RS256","crit":[]}',
  '{"alg":"RS256","crit":["b64"]}',
  '{"alg":"RS256","b64":"false"}',
  '{"alg":"RS256","typ":1,"cty":[],"jku":{},"x5c":[]}',
  ' {"\\u0061lg" : "RS256"}\n',
])('a signature with the header %s counts', (header) =>
  expect(signatureProblem(parseToken(token(header)), rsa.publicKey)).toBeUndefined(),
);

test('an unencoded payload is signed as it is', () => {
  const header = '{"alg":"RS256","b64":false,"crit":["b64"]}';
  const text = token(header, '{"sub":"x"}', `${coded(header)}.{"sub":"x"}`);
  expect(signatureProblem(parseToken(text), rsa.publicKey)).toBeUndefined();
});

test('parts are signed in their canonical form, and blanks are ignored', () => {
  const [head = '', , signature] = token('{"alg":"RS256"}', '{"a":1}').split('.');
  expect(coded('{"a":1}')).toBe('eyJhIjoxfQ');
  const others = [
    `${head}.eyJhIjoxfR.${signature}`,
    `${head}.eyJh\r\nIjoxfQ.${signature}`,
    ` ${head}\t.eyJhIjoxfQ.${signature}\u3000`,
  ];
  for (const text of others) expect(signatureProblem(parseToken(text), rsa.publicKey)).toBeUndefined();
});

test.each([
  ['{"iss":"a"}', 'a'],
  ['{"ISS":"a"}', 'a'],
  ['{"i\u017fs":"a"}', 'a'],
  ['{"iss":"a","ISS":null}', 'a'],
  ['{"iss":"a","iss":"b"}', 'b'],
  ['{"i\u00df":"a"}', ''],
  ['null', ''],
  ['{"iss":1}', undefined],
  ['[]', undefined],
  ['{"iss":"a"}x', undefined],
])('the issuer that %s tells of', (payload, issuer) => expect(untrustedIssuer(`.${coded(payload)}.`)).toBe(issuer));

const own = '"kubernetes.io":{"namespace":"n","serviceaccount":{"name":"a","uid":"u"}';

// The texts are those of kube-apiserver, in reviews of tokens of service accounts.
test.each([
  ['{"sub":1}', 'json: cannot unmarshal number into Go value of type string'],
  ['{"jti":[]}', 'json: cannot unmarshal array into Go value of type string'],
  ['{"aud":null}', 'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience'],
  ['{"aud":["a",1]}', 'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience'],
  ['{"exp":"1"}', 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate'],
  ['{"nbf":1e400}', 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate'],
  ['{"a":1,"a":2}', "json: duplicate key 'a' in object"],
  ['{"kubernetes.io":1}', 'json: cannot unmarshal number into Go value of type serviceaccount.kubernetes'],
  [
    '{"kubernetes.io":{"serviceaccount":"x"}}',
    'json: cannot unmarshal string into Go value of type serviceaccount.ref',
  ],
  ['{"kubernetes.io":{"pod":{"name":1}}}', 'json: cannot unmarshal number into Go value of type string'],
  [`{${own},"warnafter":"x"}}`, 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate'],
  [
    `{${own},"attestations":{"a":"x"}}}`,
    'json: cannot unmarshal string into Go value of type authentication.AttestationValue',
  ],
])('claims %s cannot be read', (payload, problem) =>
  expect(readSigned(parseToken(token('{"alg":"RS256"}', payload)), rsa.publicKey, claimsOf)).toEqual({ problem }),
);

test('claims are read with the numbers of Go', () => {
  const payload = `{"exp":1.9,"iat":9223372036854775807,"nbf":null,"SUB":"x",${own},"pod":null,"more":{"a":1,"a":2}}}`;
  const { value } = readSigned(parseToken(token('{"alg":"RS256"}', payload)), rsa.publicKey, claimsOf);
  expect(value).toMatchObject({
    expires: 1n,
    issuedAt: -(2n ** 63n),
    notBefore: undefined,
    subject: '',
    pod: undefined,
  });
  expect(value).toMatchObject({ namespace: 'n', account: { name: 'a', uid: 'u' } });
});
