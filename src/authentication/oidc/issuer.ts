import { pause } from '../../api/scheduling/pause.ts';
import type { Clock } from '../../api/time/clock.ts';
import { goPrint } from '../../api/json/go-print.ts';
import { goQuote, goQuoteList } from '../../api/go/go-quote.ts';
import { goTimeText, isAfter, isBefore, yearOneSeconds } from '../../api/time/go-time.ts';
import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { plainOf } from '../../api/json/json-tree.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { type ParsedToken, parseToken } from '../service-account/jws.ts';
import { isUnreadable, JoseError, treeOf } from '../service-account/jose-values.ts';
import { type IdToken, readIdToken } from './id-token.ts';
import { type IssuerCalls, readDocument } from './issuer-calls.ts';
import { type KeysFetched, KeySet } from './key-set.ts';

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
  readonly keysFetched: KeysFetched;
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
    return await this.#verify(text, this.#keys);
  }

  async #verify(text: string, keys: KeySet): Promise<JsonObject> {
    const { trusted, clock } = this.#options;
    const token = readToken(text);
    if (!trusted.algorithms.includes(token.algorithm)) {
      const expected = goQuoteList(trusted.algorithms);
      const got = goQuote(token.algorithm);
      throw new TokenError(`oidc: id token signed with unsupported algorithm, expected ${expected} got ${got}`);
    }
    await checkSigned(token, keys);
    return readClaims(token, trusted, clock.now());
  }

  async #find(): Promise<void> {
    const { trusted, calls, clock, keysFetched, onError, stopped } = this.#options;
    while (!stopped.aborted) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until it is found
        const url = await keySetUrl(trusted, calls);
        this.#keys = new KeySet({ calls, url, clock, fetched: keysFetched });
        return;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        this.#failure = error.message;
        onError(error);
      }
      // oxlint-disable-next-line no-await-in-loop -- until it is found
      await pause(retryMs, stopped);
    }
  }
}

function readToken(text: string): ParsedToken {
  if (text.split('.', 4).length > 3) throw new TokenError('oidc: malformed jwt');
  try {
    return parseToken(text);
  } catch (error) {
    if (error instanceof JoseError) throw new TokenError(`oidc: malformed jwt: ${error.message}`, { cause: error });
    throw error;
  }
}

/** All claims of a token of this issuer that is valid now. */
function readClaims({ payload }: ParsedToken, trusted: TrustedIssuer, nowMs: number): JsonObject {
  try {
    const tree = treeOf(payload);
    checkClaims(readIdToken(tree), trusted, nowMs);
    const claims = plainOf(tree);
    return isJsonObject(claims) ? claims : {};
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const isWhole = error.message.startsWith('oidc: ');
    throw new TokenError(isWhole ? error.message : `oidc: failed to unmarshal claims: ${error.message}`);
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
  const response = await calls.get(discoveryUrl ?? own);
  if (response.status !== 200) {
    throw new CallError(`${response.status}: ${response.body.toString('utf8', 0, maxShownBytes)}`);
  }
  const document = await readDocument(response.body, 'oidc: failed to decode provider discovery object');
  const { issuer = '', jwks_uri: keys = '' } = isJsonObject(document) ? document : {};
  if (issuer !== url) {
    const got = goQuote(goPrint(issuer));
    throw new CallError(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${got}`,
    );
  }
  if (typeof keys !== 'string' || URL.parse(keys) === null) throw new CallError('provider did not return JWKS URL');
  return keys;
}

function checkClaims({ iss, aud, exp, nbf }: IdToken, { url, audiences }: TrustedIssuer, nowMs: number): void {
  if (withScheme(iss) !== url) {
    throw new TokenError(`oidc: id token issued by a different provider, expected ${goQuote(url)} got ${goQuote(iss)}`);
  }
  const isMeant = aud.some((audience) => audiences.includes(audience));
  if (!isMeant && audiences.length === 1) {
    throw new TokenError(`oidc: expected audience ${goQuote(audiences[0] ?? '')} got ${goQuoteList(aud)}`);
  }
  const expires = exp ?? yearOneSeconds;
  if (isBefore(expires, nowMs)) {
    throw new TokenError(`oidc: token is expired (Token Expiry: ${goTimeText(expires)})`);
  }
  if (nbf !== undefined && isAfter(nbf, nowMs + leewayMs)) {
    const [now, then] = [goTimeText(BigInt(Math.floor(nowMs / 1_000))), goTimeText(nbf)];
    throw new TokenError(`oidc: current time ${now} before the nbf (not before) time: ${then}`);
  }
  if (!isMeant) {
    throw new TokenError(`oidc: expected audience in ${goQuoteList(audiences.toSorted())} got ${goQuoteList(aud)}`);
  }
}

/** Google sometimes omits the scheme. */
export function withScheme(issuer: string): string {
  return issuer === 'accounts.google.com' ? 'https://accounts.google.com' : issuer;
}
