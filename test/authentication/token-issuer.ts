import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json/json.ts';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { signedToken } from '../signed-token.ts';
import { startHttpsServer } from '../https-server.ts';

/** A controllable OIDC issuer on this machine. */
export interface TokenIssuer extends AsyncDisposable {
  readonly url: string;
  /** PEM. */
  readonly authority: string;
  readonly key: KeyObject;
  /** Requests by path. */
  readonly asked: string[];
  /** The published keys; initially its own. */
  keys: readonly KeyObject[];
  /** Overrides of responses, by path. */
  readonly answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
}

const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startTokenIssuer(folder: string, name: string): Promise<TokenIssuer> {
  const { privateKey: key, publicKey } = pairOf();
  const requested: string[] = [];
  const answers: TokenIssuer['answers'] = new Map();
  const issuer: { keys: readonly KeyObject[] } = { keys: [publicKey] };
  const server = await startHttpsServer({ folder: join(folder, name) }, (request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const answer = answers.get(path);
    if (answer !== undefined) answer(request, response);
    else if (path === '/.well-known/openid-configuration') json(response, { issuer: url, jwks_uri: `${url}/keys` });
    else if (path === '/keys') json(response, { keys: issuer.keys.map((each) => jwkOf(each)) });
    else response.writeHead(404).end();
  });
  const { url, authority } = server;
  return Object.assign(issuer, {
    url,
    authority,
    key,
    asked: requested,
    answers,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function jwkOf(key: KeyObject): object {
  return { ...key.export({ format: 'jwk' }), kid: keyId(key), use: 'sig' };
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A token with an arbitrary header, signed with RSA and SHA-256. */
export function rawToken(header: object, claims: object, key: KeyObject): string {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

export function idToken(claims: JsonObject, key: KeyObject, id: string): string {
  return signedToken(claims, key, id);
}
