import { STATUS_CODES } from 'node:http';
import { goQuote } from '../../api/go/go-quote.ts';
import { getOwn, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { plainSource } from '../../api/json/json-tree.ts';
import { goMap, goStruct, goText } from '../../codec/go/go-types.ts';
import { decodeGo, GoDecodeError, type GoType, goDialects } from '../../codec/go/go-values.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { JoseError } from '../service-account/jose-values.ts';
import { readUntrustedIssuer } from '../service-account/jws.ts';
import { type IssuerOptions, OpenIdIssuer, TokenError, withScheme } from './issuer.ts';

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
    const issuer = issuerIn(jwt, `getting untrusted issuer from endpoint ${url} failed for claim ${goQuote(claim)}`);
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
      const response = await this.#options.calls.get(url, token);
      if (response.status >= 200 && response.status <= 226) return response.body.toString().trim();
      const words = STATUS_CODES[response.status] ?? '';
      throw new CallError(`error while getting distributed claim JWT: ${response.status} ${words}`.trimEnd());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      throw expanding(`while getting distributed claim ${goQuote(this.#claim)}: ${error.message}`);
    }
  }

  /** Throws a TokenError before discovery has completed. */
  #issuer(url: string): OpenIdIssuer {
    let issuer = this.#issuers.get(url);
    if (issuer === undefined) {
      if (URL.parse(url)?.protocol !== 'https:') throw uninitialized(url);
      const { trusted } = this.#options;
      issuer = new OpenIdIssuer({ ...this.#options, trusted: { ...trusted, url, discoveryUrl: undefined } });
      this.#issuers.set(url, issuer);
    }
    if (issuer.problem === undefined) return issuer;
    throw uninitialized(url);
  }
}

function uninitialized(url: string): TokenError {
  return expanding(`verifying untrusted issuer ${url} failed: verifier not initialized for issuer: ${goQuote(url)}`);
}

function issuerIn(jwt: string, what: string): string {
  try {
    return withScheme(readUntrustedIssuer(jwt));
  } catch (error) {
    if (error instanceof JoseError) throw expanding(`${what}: ${error.message}`);
    throw error;
  }
}

function expanding(why: string): TokenError {
  return new TokenError(`oidc: could not expand distributed claims: ${why}`);
}

interface Endpoint {
  readonly url: string;
  readonly token: string;
}

const names = goMap(goText());
const endpoints = goMap(goStruct('oidc.endpoint', { endpoint: goText(), access_token: goText(), JWT: goText() }));

/** The source of the claim; undefined when none is named. */
function endpointOf(claims: JsonObject, claim: string): Endpoint | undefined {
  const claimed = getOwn(claims, '_claim_names');
  if (claimed === undefined) return undefined;
  const sourceOf = decoded(names, claimed, 'oidc: error parsing distributed claim names');
  const sources = getOwn(claims, '_claim_sources');
  if (sources === undefined) throw expanding('oidc: no claim sources');
  const known = decoded(endpoints, sources, 'oidc: could not parse claim sources');
  const name = sourceOf.get(claim);
  if (name === undefined) return undefined;
  const source = known.get(name);
  if (source === undefined) {
    throw expanding(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  }
  // Without an endpoint it may be an aggregated claim, which nobody reads.
  return source.endpoint === '' ? undefined : { url: source.endpoint, token: source.access_token };
}

function decoded<Value>(type: GoType<Value>, value: JsonValue, what: string): Value {
  try {
    return decodeGo(type, plainSource(value).tree(), goDialects.standard);
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error;
    throw expanding(`${what}: ${error.message}`);
  }
}
