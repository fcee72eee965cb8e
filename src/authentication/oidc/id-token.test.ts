import { expect, test } from 'vitest';
import { parseJson } from '../../codec/json.ts';
import { goTimeText, isAfter, isBefore } from '../../api/time/go-time.ts';
import { readIdToken } from './id-token.ts';

const read = (text: string) => readIdToken(parseJson(Buffer.from(text)).tree());

// The texts are those of kube-apiserver, in reviews of tokens.
test.each([
  ['[]', 'json: cannot unmarshal array into Go value of type oidc.idToken'],
  ['{"sub":1}', 'json: cannot unmarshal number into Go struct field idToken.sub of type string'],
  ['{"Sub":1}', 'json: cannot unmarshal number into Go struct field idToken.sub of type string'],
  ['{"nonce":1}', 'json: cannot unmarshal number into Go struct field idToken.nonce of type string'],
  ['{"aud":1}', 'json: cannot unmarshal number into Go struct field idToken.aud of type []string'],
  ['{"aud":["a",1]}', 'json: cannot unmarshal number into Go struct field idToken.aud of type string'],
  ['{"exp":null}', 'strconv.ParseFloat: parsing "": invalid syntax'],
  ['{"exp":true}', 'json: cannot unmarshal bool into Go struct field idToken.exp of type json.Number'],
  ['{"exp":"x"}', 'json: invalid number literal, trying to unmarshal "\\"x\\"" into Number'],
  ['{"iat":1e400}', 'strconv.ParseFloat: parsing "1e400": value out of range'],
  [
    '{"_claim_names":"x"}',
    'json: cannot unmarshal string into Go struct field idToken._claim_names of type map[string]string',
  ],
  [
    '{"_claim_names":{"groups":1}}',
    'json: cannot unmarshal number into Go struct field idToken._claim_names of type string',
  ],
  ['{"_claim_names":{"groups":"src"}}', 'oidc: source does not exist'],
  ['{"_claim_names":{"groups":"src"},"_claim_sources":{}}', 'oidc: source does not exist'],
  ['{"_claim_names":{"other":""},"_claim_sources":{"":{}}}', 'oidc: failed to obtain source from claim name'],
  [
    '{"_claim_sources":{"src":1}}',
    'json: cannot unmarshal number into Go struct field idToken._claim_sources of type oidc.claimSource',
  ],
  [
    '{"_claim_sources":{"src":{"endpoint":1}}}',
    'json: cannot unmarshal number into Go struct field claimSource._claim_sources.endpoint of type string',
  ],
  [
    '{"_claim_sources":{"src":{"access_token":[]}}}',
    'json: cannot unmarshal array into Go struct field claimSource._claim_sources.access_token of type string',
  ],
])('%s is no ID token', (text, message) => expect(() => read(text)).toThrow(expect.objectContaining({ message })));

test('times may be strings, have fractions and exceed 64 bits', () => {
  expect(read('{"exp":"12","iat":1.9,"nbf":null,"aud":null}')).toMatchObject({
    exp: 12n,
    iat: 1n,
    nbf: undefined,
    aud: [''],
  });
  expect(read('{"exp":9223372036854775807,"iat":1e19}')).toMatchObject({ exp: 2n ** 63n - 1n, iat: -(2n ** 63n) });
});

test('a source without an endpoint is one', () => {
  const { _claim_sources: sources } = read('{"_claim_names":{"groups":"src"},"_claim_sources":{"src":{}}}');
  expect([...sources]).toEqual([['src', { endpoint: '', access_token: '' }]]);
});

test.each([
  [-62_135_596_800n, '0001-01-01 00:00:00'],
  [0n, '1970-01-01 00:00:00'],
  [253_402_300_800n, '10000-01-01 00:00:00'],
  [2n ** 63n - 1n, '292277026596-12-04 15:30:07'],
  [-(2n ** 63n), '292277026596-12-04 15:30:08'],
])('%d seconds as Go prints them', (seconds, text) => expect(goTimeText(seconds)).toBe(`${text} +0000 UTC`));

test('times that overflow are in the past', () => {
  expect(isBefore(2n ** 63n - 1n, 0)).toBe(true);
  expect(isAfter(2n ** 62n, 0)).toBe(true);
});
