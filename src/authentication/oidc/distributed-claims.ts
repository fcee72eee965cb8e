import { goPrint } from '../../api/go-print.ts';
import { goQuote } from '../../api/go-quote.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { parseToken } from '../service-account/jws.ts';
import { issuerOf, type IssuerOptions, OpenIdIssuer, TokenError } from './issuer.ts';

/** Distributed claims: the token says where they can be fetched (OpenID Connect Core 1.0, section 5.6.2). */
export class DistributedClaims {
  readonly #options: IssuerOptions;
  readonly #claim: string;
  /** Claim sources other than the issuer. */
  readonly #issuers = new Map<string, OpenIdIssuer>();

  constructor(options: IssuerOptions, claim: string) {
    this.#options = options;
    this.#claim = claim;
  }

  /** The claims, with the distributed one resolved. Throws a TokenError. */
  async expanded(claims: JsonObject): Promise<JsonObject> {
    const endpoint = Object.hasOwn(claims, this.#claim) ? undefined : endpointOf(claims, this.#claim);
    if (endpoint === undefined) return claims;
    const all = { ...claims };
    setOwn(all, this.#claim, await this.#resolve(endpoint));
    return all;
  }

  async #resolve({ url, token }: Endpoint): Promise<JsonValue> {
    const claim = this.#claim;
    const jwt = await this.#get(url, token);
    const payload = parseToken(jwt)?.payload;
    if (payload === undefined) {
      throw expanding(
        `getting untrusted issuer from endpoint ${url} failed for claim ${goQuote(claim)}: malformed token`,
      );
    }
    const issuer = issuerOf(payload);
    const verified = await this.#issuer(issuer)
      .verify(jwt)
      .catch((error: unknown) => {
        if (!(error instanceof TokenError)) throw error;
        throw expanding(`verify distributed claim token: ${error.message}`);
      });
    const value = getOwn(verified, claim);
    if (value !== undefined) return value;
    throw expanding(`jwt returned by distributed claim endpoint ${goQuote(url)} did not contain claim: ${claim}`);
  }

  async #get(url: string, token: string): Promise<string> {
    try {
      if (URL.parse(url) === null) throw new CallError(`Get ${goQuote(url)}: invalid URL`);
      const answer = await this.#options.calls.get(url, token);
      if (answer.status >= 200 && answer.status <= 226) return answer.body.toString().trim();
      throw new CallError(`error while getting distributed claim JWT: ${answer.status}`);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      throw expanding(`while getting distributed claim ${goQuote(this.#claim)}: ${error.message}`);
    }
  }

  /** Throws a TokenError before discovery has completed. */
  #issuer(url: string): OpenIdIssuer {
    let issuer = this.#issuers.get(url);
    if (issuer === undefined) {
      if (URL.parse(url)?.protocol !== 'https:')
        throw expanding(`verifying untrusted issuer ${url} failed: not an https URL`);
      const { trusted } = this.#options;
      issuer = new OpenIdIssuer({ ...this.#options, trusted: { ...trusted, url, discoveryUrl: undefined } });
      this.#issuers.set(url, issuer);
    }
    if (issuer.problem === undefined) return issuer;
    throw expanding(`verifying untrusted issuer ${url} failed: verifier not initialized for issuer: ${goQuote(url)}`);
  }
}

function expanding(why: string): TokenError {
  return new TokenError(`oidc: could not expand distributed claims: ${why}`);
}

interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** The source of the claim; undefined when none is named. */
function endpointOf(claims: JsonObject, claim: string): Endpoint | undefined {
  const names = getOwn(claims, '_claim_names');
  if (names === undefined) return undefined;
  if (!isJsonObject(names)) throw expanding('oidc: error parsing distributed claim names: not an object of strings');
  const sources = getOwn(claims, '_claim_sources');
  if (sources === undefined) throw expanding('oidc: no claim sources');
  if (!isJsonObject(sources)) throw expanding('oidc: could not parse claim sources: not an object');
  const name = getOwn(names, claim);
  if (name === undefined) return undefined;
  const source = typeof name === 'string' ? getOwn(sources, name) : undefined;
  if (!isJsonObject(source)) {
    throw expanding(`id token _claim_names contained a source ${goPrint(name)} missing in _claims_sources`);
  }
  const { endpoint = '', access_token: token = '' } = source;
  if (typeof endpoint !== 'string' || endpoint === '') return undefined;
  return { url: endpoint, token: typeof token === 'string' ? token : '' };
}
