import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../api/clock.ts';
import { goPrint } from '../../api/go-print.ts';
import { goQuote, goQuoteList } from '../../api/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { type ParsedToken, parseToken } from '../service-account/jws.ts';
import { jsonKind } from './claims.ts';
import { type IssuerCalls, readDocument } from './issuer-calls.ts';
import { type KeysAsked, KeySet } from './key-set.ts';

const retryMs = 10_000;
/** Longer answers are cut off in errors. */
const maxShownBytes = 2048;
const leewayMs = 60_000;

/** An invalid token; the text is the reference's. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code = 'TOKEN';
}

export interface TrustedIssuer {
  readonly url: string;
  /** The discovery URL, if it is not derived from the issuer's. */
  readonly discoveryUrl: string | undefined;
  /** Tokens must be for one of these audiences. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
}

export interface IssuerOptions {
  readonly trusted: TrustedIssuer;
  readonly calls: IssuerCalls;
  readonly clock: Clock;
  readonly keysAsked: KeysAsked;
  readonly onError: (error: unknown) => void;
  /** Aborts discovery. */
  readonly stopped: AbortSignal;
}

/**
 * An issuer of ID tokens (OpenID Connect Core 1.0, section 2). Discovery is retried until it succeeds; until then all
 * its tokens are rejected.
 */
export class OpenIdIssuer {
  readonly #options: IssuerOptions;
  #keys: KeySet | undefined;
  #failure: string;
  /** Resolves when discovery has succeeded or was aborted. */
  readonly found: Promise<void>;

  constructor(options: IssuerOptions) {
    this.#options = options;
    this.#failure = `oidc: authenticator for issuer ${goQuote(options.trusted.url)} is not initialized`;
    this.found = this.#find();
  }

  /** Why it is not ready; undefined when it is. */
  get problem(): string | undefined {
    if (this.#keys !== undefined) return undefined;
    return `oidc: authenticator for issuer ${goQuote(this.#options.trusted.url)} is not healthy: ${this.#failure}`;
  }

  /** The claims of a valid token. Throws a TokenError. */
  async verify(text: string): Promise<JsonObject> {
    if (this.#keys === undefined) throw new TokenError('oidc: authenticator not initialized');
    try {
      return await this.#verify(text, this.#keys);
    } catch (error) {
      if (!(error instanceof TokenError || error instanceof CallError)) throw error;
      throw new TokenError(`oidc: verify token: ${error.message}`, { cause: error });
    }
  }

  async #verify(text: string, keys: KeySet): Promise<JsonObject> {
    const { trusted, clock } = this.#options;
    const token = parseToken(text);
    if (token === undefined) throw new TokenError('oidc: malformed jwt');
    if (!trusted.algorithms.includes(token.algorithm)) {
      const expected = goQuoteList(trusted.algorithms);
      const got = goQuote(token.algorithm);
      throw new TokenError(`oidc: id token signed with unsupported algorithm, expected ${expected} got ${got}`);
    }
    await checkSigned(token, keys);
    checkClaims(token.payload, trusted, clock.now());
    return token.payload;
  }

  async #find(): Promise<void> {
    const { trusted, calls, clock, keysAsked, onError, stopped } = this.#options;
    while (!stopped.aborted) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until it is found
        const url = await keySetUrl(trusted, calls);
        this.#keys = new KeySet({ calls, url, clock, asked: keysAsked });
        return;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        this.#failure = error.message;
        onError(error);
      }
      // oxlint-disable-next-line no-await-in-loop -- until it is found
      await sleep(retryMs, undefined, { ref: false, signal: stopped }).catch(() => undefined);
    }
  }
}

async function checkSigned(token: ParsedToken, keys: KeySet): Promise<void> {
  let hasSigned: boolean;
  try {
    hasSigned = await keys.hasSigned(token);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw new TokenError(`failed to verify signature: fetching keys ${error.message}`, { cause: error });
  }
  if (!hasSigned) throw new TokenError('failed to verify signature: failed to verify id token signature');
}

/** OpenID Connect Discovery 1.0, section 4. Throws a CallError. */
async function keySetUrl({ url, discoveryUrl }: TrustedIssuer, calls: IssuerCalls): Promise<string> {
  const own = `${url.endsWith('/') ? url.slice(0, -1) : url}/.well-known/openid-configuration`;
  const answer = await calls.get(discoveryUrl ?? own);
  if (answer.status !== 200) {
    throw new CallError(`${answer.status}: ${answer.body.toString('utf8', 0, maxShownBytes)}`);
  }
  const told = await readDocument(answer.body, 'oidc: failed to decode provider discovery object');
  const { issuer = '', jwks_uri: keys = '' } = isJsonObject(told) ? told : {};
  if (issuer !== url) {
    const got = goQuote(goPrint(issuer));
    throw new CallError(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${got}`,
    );
  }
  if (typeof keys !== 'string' || URL.parse(keys) === null) throw new CallError('provider did not return JWKS URL');
  return keys;
}

/** Claims that must be strings if present. */
const textNames: readonly string[] = ['sub', 'nonce', 'at_hash'];

function checkTexts(payload: JsonObject): void {
  for (const name of textNames) {
    const value = payload[name] ?? '';
    if (typeof value === 'string') continue;
    const why = `json: cannot unmarshal ${jsonKind(value)} into Go struct field idToken.${name} of type string`;
    throw new TokenError(`oidc: failed to unmarshal claims: ${why}`);
  }
}

function checkClaims(payload: JsonObject, { url, audiences }: TrustedIssuer, nowMs: number): void {
  checkTexts(payload);
  const meant = audiencesOf(payload['aud']);
  const [expires = 0, notBefore] = [secondsOf(payload, 'exp'), secondsOf(payload, 'nbf')];
  secondsOf(payload, 'iat');
  if (issuerOf(payload) !== url) {
    const got = goQuote(issuerOf(payload));
    throw new TokenError(`oidc: id token issued by a different provider, expected ${goQuote(url)} got ${got}`);
  }
  const isMeant = meant.some((audience) => audiences.includes(audience));
  if (!isMeant && audiences.length === 1) {
    throw new TokenError(`oidc: expected audience ${goQuote(audiences[0] ?? '')} got ${goQuoteList(meant)}`);
  }
  if (expires * 1_000 < nowMs) throw new TokenError(`oidc: token is expired (Token Expiry: ${goTime(expires)})`);
  if (notBefore !== undefined && nowMs + leewayMs < notBefore * 1_000) {
    const [now, then] = [goTime(nowMs / 1_000), goTime(notBefore)];
    throw new TokenError(`oidc: current time ${now} before the nbf (not before) time: ${then}`);
  }
  if (!isMeant) {
    throw new TokenError(`oidc: expected audience in ${goQuoteList(audiences.toSorted())} got ${goQuoteList(meant)}`);
  }
}

/** Google sometimes omits the scheme. */
export function issuerOf(payload: JsonObject): string {
  const { iss = '' } = payload;
  return iss === 'accounts.google.com' ? 'https://accounts.google.com' : typeof iss === 'string' ? iss : '';
}

function audiencesOf(claim: JsonValue | undefined): readonly string[] {
  if (claim === undefined || claim === null) return [];
  const all = Array.isArray(claim) ? claim : [claim];
  if (all.every((each) => typeof each === 'string')) return all;
  const wrong = all.find((each) => typeof each !== 'string') ?? null;
  const goType = Array.isArray(claim) ? 'string' : '[]string';
  throw new TokenError(
    `oidc: failed to unmarshal claims: json: cannot unmarshal ${jsonKind(wrong)} into Go value of type ${goType}`,
  );
}

function secondsOf(payload: JsonObject, name: string): number | undefined {
  const value = payload[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return Math.trunc(value);
  throw new TokenError(`oidc: failed to unmarshal claims: ${name} is not a number`);
}

/** As Go prints it. */
function goTime(seconds: number): string {
  if (Math.abs(seconds) > 8.64e12) return `${seconds} +0000 UTC`;
  const text = new Date(seconds * 1_000).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} +0000 UTC`;
}
