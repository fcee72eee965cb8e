import type { Clock } from '../../api/time/clock.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { isUnreadable, treeOf } from '../service-account/jose-values.ts';
import { type Jwk, jwksIn } from '../service-account/jwk.ts';
import { type ParsedToken, signatureProblem } from '../service-account/jws.ts';
import type { IssuerCalls } from './issuer-calls.ts';

/** Keys are refreshed a little before they expire. */
const expiryDeltaMs = 30_000;

/** Called after each fetch of the keys; `undefined` when it failed. */
export type KeysFetched = (keySet: string | undefined) => void;

export interface KeySetOptions {
  readonly calls: IssuerCalls;
  readonly url: string;
  readonly clock: Clock;
  readonly fetched: KeysFetched;
}

/** The keys of an issuer, fetched when a token names an unknown one. */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: readonly Jwk[] = [];
  #untilMs = 0;
  #asking: Promise<readonly Jwk[]> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Whether the issuer has signed the token. Throws a CallError when its keys cannot be fetched. */
  async hasSigned(token: ParsedToken): Promise<boolean> {
    if (verifies(this.#keys, token)) return true;
    // The cached keys are still valid.
    if (this.#options.clock.now() + expiryDeltaMs <= this.#untilMs) return false;
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return verifies(await this.#asking, token);
  }

  async #ask(): Promise<readonly Jwk[]> {
    const { calls, url, clock, fetched } = this.#options;
    try {
      const response = await calls.get(url);
      if (response.status !== 200) throw new CallError(`oidc: get keys failed: ${response.status}`);
      this.#keys = readKeys(response.body);
      this.#untilMs = clock.now() + lifetimeMs(response.header('cache-control') ?? '');
      fetched(response.body.toString());
      return this.#keys;
    } catch (error) {
      fetched(undefined);
      throw error;
    }
  }
}

function verifies(keys: readonly Jwk[], token: ParsedToken): boolean {
  for (const { id, key } of keys) {
    if (key === undefined || (token.keyId !== '' && token.keyId !== id)) continue;
    if (signatureProblem(token, key) === undefined) return true;
  }
  return false;
}

/** The keys of a JWK set (RFC 7517, section 5); one that cannot be read invalidates the set. Throws a CallError. */
function readKeys(body: Uint8Array): readonly Jwk[] {
  try {
    return [...jwksIn(treeOf(body))];
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    throw new CallError(`oidc: failed to decode keys: ${error.message}`, { cause: error });
  }
}

/** RFC 9111, section 5.2.2, for shared caches. */
function lifetimeMs(cacheControl: string): number {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  if (directives.some((each) => /^(?:no-store|no-cache|private)(?:=|$)/.test(each))) return 0;
  const seconds = (name: string): number | undefined => {
    const [, digits] =
      directives
        .map((each) => /^([a-z-]+)="?(\d+)"?$/.exec(each))
        .find((match) => match?.[1] === name)
        ?.slice(1) ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  return (seconds('s-maxage') ?? seconds('max-age') ?? 0) * 1_000;
}
