import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../src/api/json/json.ts';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { idToken, rawToken, type TokenIssuer } from './token-issuer.ts';

const now = Math.floor(Date.now() / 1_000);
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

export interface OpenIdRow {
  readonly name: string;
  readonly token: string;
  readonly said: string;
}

/** The issuers of the rows; `plain` maps claims by name, `rules` uses CEL expressions. */
export interface Issuers {
  readonly plain: TokenIssuer;
  readonly rules: TokenIssuer;
}

/** Configures both. */
export function configurationOf({ plain, rules }: Issuers): object {
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: {
          url: plain.url,
          audiences: ['crew', 'deck'],
          audienceMatchPolicy: 'MatchAny',
          certificateAuthority: plain.authority,
        },
        claimMappings: {
          username: { claim: 'email', prefix: 'm:' },
          groups: { claim: 'roles', prefix: 'r:' },
          uid: { claim: 'sub' },
        },
        claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }],
      },
      {
        issuer: {
          url: rules.url,
          discoveryURL: `${rules.url}/elsewhere`,
          audiences: ['crew'],
          certificateAuthority: rules.authority,
        },
        claimMappings: {
          username: { expression: "claims.sub + '@rules'" },
          groups: { expression: "has(claims.roles) ? dyn(claims.roles).map(r, 'r:' + r) : []" },
          uid: { expression: 'has(claims.id) ? claims.id : ""' },
          extra: [
            { key: 'example.com/tenant', valueExpression: 'claims.?tenant.orValue("")' },
            { key: 'example.com/deep', valueExpression: 'has(claims.deep) ? claims.deep.a__dot__b[0].x : ""' },
            { key: 'example.com/kinds', valueExpression: "has(claims.num) ? string(type(claims.num) == double) : ''" },
          ],
        },
        claimValidationRules: [{ expression: 'claims.?level.orValue(1.0) < 10.0', message: 'the level is too high' }],
        userValidationRules: [
          { expression: "!user.username.startsWith('system:')", message: 'nobody may be of the system' },
          { expression: "user.groups.all(g, g != 'r:bad')", message: 'nobody may be bad' },
        ],
      },
    ],
  };
}

/** Claims of a valid token from the issuer without rules. */
function plainClaims({ url }: TokenIssuer, more: JsonObject = {}): JsonObject {
  const dates = { exp: now + 3_600, iat: now, nbf: now };
  return { iss: url, aud: 'crew', ...dates, sub: 's1', email: 'pat@example.com', hd: 'example.com', ...more };
}

function plainRows({ plain, rules }: Issuers): readonly OpenIdRow[] {
  const kid = keyId(createPublicKey(plain.key));
  const header = { alg: 'RS256', kid };
  const of = (more: JsonObject): string => idToken(plainClaims(plain, more), plain.key, kid);
  const without = (name: string): string => {
    const kept = Object.entries(plainClaims(plain)).filter(([key]) => key !== name);
    return idToken(Object.fromEntries(kept), plain.key, kid);
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const good = of({ roles: ['a', 'b'], jti: 'j7' });
  const [head = '', , signature = ''] = good.split('.');
  const hmac = `${part({ alg: 'HS256', kid })}.${part(plainClaims(plain))}`;
  const publicPem = createPublicKey(plain.key).export({ type: 'spki', format: 'pem' });
  const pat = 'm:pat@example.com uid=s1';
  return [
    { name: 'a good token', token: good, said: `${pat} groups=r:a,r:b` },
    { name: 'one role alone', token: of({ roles: 'a' }), said: `${pat} groups=r:a` },
    { name: 'no roles', token: of({ roles: [] }), said: pat },
    { name: 'roles that are numbers', token: of({ roles: [1] }), said: '401' },
    { name: 'for another of the audiences', token: of({ aud: ['x', 'deck'] }), said: pat },
    { name: 'for nobody', token: without('aud'), said: '401' },
    { name: 'for others', token: of({ aud: ['x'] }), said: '401' },
    { name: 'expired', token: of({ exp: now - 5 }), said: '401' },
    { name: 'without an end', token: without('exp'), said: '401' },
    { name: 'not yet valid', token: of({ nbf: now + 300 }), said: '401' },
    { name: 'not yet valid, within the leeway', token: of({ nbf: now + 30 }), said: pat },
    { name: 'issued in the future', token: of({ iat: now + 300 }), said: pat },
    { name: 'of another issuer', token: of({ iss: 'https://other.example' }), said: '401' },
    { name: 'of an issuer with a slash', token: of({ iss: `${plain.url}/` }), said: '401' },
    {
      name: 'of one issuer with the key of the other',
      token: idToken(plainClaims(rules), plain.key, kid),
      said: '401',
    },
    { name: 'mail that is verified', token: of({ email_verified: true }), said: pat },
    { name: 'mail that is not verified', token: of({ email_verified: false }), said: '401' },
    { name: 'mail that is said to be verified in text', token: of({ email_verified: 'true' }), said: '401' },
    { name: 'no mail', token: without('email'), said: '401' },
    { name: 'mail that is a number', token: of({ email: 7 }), said: '401' },
    { name: 'no subject', token: without('sub'), said: '401' },
    { name: 'a domain that is required', token: of({ hd: 'other.example' }), said: '401' },
    { name: 'no domain', token: without('hd'), said: '401' },
    { name: 'no key id', token: idToken(plainClaims(plain), plain.key, ''), said: pat },
    { name: 'an unknown key id', token: idToken(plainClaims(plain), plain.key, 'zz'), said: '401' },
    { name: 'another key under its id', token: idToken(plainClaims(plain), other.privateKey, kid), said: '401' },
    { name: 'a key of another kind', token: idToken(plainClaims(plain), curve.privateKey, kid), said: '401' },
    { name: 'tampered', token: `${head}.${part(plainClaims(plain, { email: 'root' }))}.${signature}`, said: '401' },
    { name: 'without a signature', token: `${part({ alg: 'none', kid })}.${part(plainClaims(plain))}.`, said: '401' },
    {
      name: 'signed by the public key',
      token: `${hmac}.${createHmac('sha256', publicPem).update(hmac).digest('base64url')}`,
      said: '401',
    },
    { name: 'another type', token: rawToken({ ...header, typ: 'at+jwt' }, plainClaims(plain), plain.key), said: pat },
    {
      name: 'extensions',
      token: rawToken({ ...header, crit: ['exp'], exp: 1 }, plainClaims(plain), plain.key),
      said: '401',
    },
    { name: 'two more dots', token: `${good}.a.b`, said: '401' },
    { name: 'a large token', token: of({ more: 'x'.repeat(6_000) }), said: pat },
  ];
}

function ruledRows({ rules }: Issuers): readonly OpenIdRow[] {
  const rulesKid = keyId(createPublicKey(rules.key));
  const ruled = (more: JsonObject): string =>
    idToken({ iss: rules.url, aud: ['crew'], exp: now + 3_600, sub: 'rob', ...more }, rules.key, rulesKid);
  return [
    { name: 'rules', token: ruled({}), said: 'rob@rules' },
    {
      name: 'rules for all parts',
      token: ruled({ roles: ['x', 'y'], id: '7', tenant: ['t', '', 'u'], deep: { 'a.b': [{ x: 'z' }] }, num: 3 }),
      said: 'rob@rules uid=7 groups=r:x,r:y example.com/deep=z example.com/kinds=true example.com/tenant=t,u',
    },
    { name: 'a rule of claims', token: ruled({ level: 11 }), said: '401' },
    { name: 'a rule of claims about text', token: ruled({ level: 'x' }), said: '401' },
    { name: 'a rule of users', token: ruled({ sub: 'system:x' }), said: '401' },
    { name: 'a second rule of users', token: ruled({ roles: ['bad'] }), said: '401' },
    { name: 'a name that is a number', token: ruled({ sub: 7 }), said: '401' },
    { name: 'roles that are no list', token: ruled({ roles: 'x' }), said: '401' },
    { name: 'a tenant that is a number', token: ruled({ tenant: 7 }), said: '401' },
    { name: 'an id that is a number', token: ruled({ id: 7 }), said: '401' },
  ];
}

export function openIdRows(issuers: Issuers): readonly OpenIdRow[] {
  return [...plainRows(issuers), ...ruledRows(issuers)];
}
