import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brokenMisdeeds } from './hook-misdeeds.ts';

type Misbehave = (response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = publicKey.export({ format: 'jwk' });

/** A key set whose keys have no names, so that each is tried. */
const keySet = (count: number): Misbehave => {
  const text = JSON.stringify({ keys: Array.from({ length: count }, () => key) });
  return (response) => void response.writeHead(200, json).end(text);
};

const broken: readonly (readonly [string, Misbehave])[] = [...brokenMisdeeds].map(([name, misdeed]) => [
  name,
  (response) => misdeed(response, { apiVersion: '', kind: '' }),
]);

/** What is at the address of keys. */
const keys: ReadonlyMap<string, Misbehave> = new Map([
  ...broken,
  ['7,000 keys', keySet(7_000)],
  [
    '400,000 keys that are none',
    (response) => void response.writeHead(200, json).end(`{"keys":[${'{"kty":"EC"},'.repeat(400_000)}{}]}`),
  ],
]);

/** Misdeeds of discovery, and of keys where discovery is as it should be. */
export const issuers: readonly string[] = [
  ...[...keys.keys()].map((name) => `keys/${name}`),
  ...broken.map(([name]) => `discovery/${name}`),
];

export const keyIssuers: readonly string[] = issuers.filter((issuer) => issuer.startsWith('keys/'));

/** Answers for the issuer of a path: `/issuer/keys/no answer/.well-known/openid-configuration`. */
export function serveIssuer(origin: string, { url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, , what = '', name = '', last = ''] = (url.split('?', 1)[0] ?? '').split('/');
  const issuer = `${origin}/issuer/${what}/${name}`;
  if (what === 'keys' && last === '.well-known') {
    response.writeHead(200, json).end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  } else keys.get(decodeURIComponent(name))?.(response);
}
