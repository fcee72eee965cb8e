import { goQuote } from '../../api/go/go-quote.ts';
import { type GoUrl, GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';
import type { EgressWay } from '../../api/contracts/egress.ts';
import type { JsonValue } from '../../api/json/json.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';
import { parseJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { type CallResponse, HttpCaller } from '../../outgoing/http-call.ts';
import { Upstream } from '../../outgoing/upstream.ts';

const timeoutMs = 30_000;
const maxResponseBytes = 16 * 1024 * 1024;

/** Sends a request to an issuer, following redirects. Credentials go to no other host. Throws a CallError. */
export class IssuerCalls {
  readonly #caller: HttpCaller;

  /** `authority`: PEM; empty: the system's. */
  constructor(authority: string, egress?: EgressWay) {
    this.#caller = new HttpCaller(new Upstream(authority === '' ? {} : { ca: authority }, { egress }));
  }

  get(address: string, token = ''): Promise<CallResponse> {
    const url = requestUrl(address, token);
    return this.#caller.follow({ method: 'GET', url, timeoutMs, maxResponseBytes }, ({ host }) =>
      token === '' || host !== url.host ? {} : { Authorization: `Bearer ${token}` },
    );
  }

  close(): void {
    this.#caller.close();
  }
}

/** Only http and https can be called. Throws a CallError, as Go words it. */
function requestUrl(address: string, token: string): URL {
  const { scheme, host } = parsedAddress(address);
  const shown = goQuote(shownUrl(address));
  const isHttp = scheme === 'http' || scheme === 'https';
  if (isHttp && /[\0-\x08\x0a-\x1f\x7f]/.test(token)) {
    throw new CallError(`Get ${shown}: net/http: invalid header field value for "Authorization"`);
  }
  if (!isHttp) throw new CallError(`Get ${shown}: unsupported protocol scheme ${goQuote(scheme)}`);
  if (host === '') throw new CallError(`Get ${shown}: http: no Host in request URL`);
  const url = URL.parse(address);
  if (url === null) throw new CallError(`Get ${shown}: invalid URL`);
  return url;
}

function parsedAddress(address: string): GoUrl {
  try {
    return parseGoUrl(address);
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    throw new CallError(`while calling ${address}: ${error.message}`, { cause: error });
  }
}

/** Without the password. */
function shownUrl(address: string): string {
  return address.replace(/^([^/]*\/\/[^/@:]*):[^/@]*@/, '$1:***@').replaceAll(' ', '%20');
}

/** The JSON of an issuer's document. Throws a CallError that says `problem` if it is none. */
export async function readDocument(body: Uint8Array, problem: string): Promise<JsonValue> {
  try {
    return parseJson(body).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof BodyLimitError)) throw error;
    throw new CallError(problem, { cause: error });
  }
}
