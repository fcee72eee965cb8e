import type { EgressWay } from '../../api/egress.ts';
import type { JsonValue } from '../../api/json.ts';
import { inTurns } from '../../api/turns.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';
import { readJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { type CallAnswer, HttpCaller } from '../../outgoing/http-call.ts';
import { Upstream } from '../../outgoing/upstream.ts';

const timeoutMs = 30_000;
const maxAnswerBytes = 16 * 1024 * 1024;

/** Sends a request to an issuer, following redirects. Credentials go to no other host. Throws a CallError. */
export class IssuerCalls {
  readonly #caller: HttpCaller;

  /** `authority`: PEM; empty: the system's. */
  constructor(authority: string, egress?: EgressWay) {
    this.#caller = new HttpCaller(new Upstream(authority === '' ? {} : { ca: authority }, { egress }));
  }

  get(address: string, token = ''): Promise<CallAnswer> {
    const url = new URL(address);
    return this.#caller.follow({ method: 'GET', url, timeoutMs, maxAnswerBytes }, ({ host }) =>
      token === '' || host !== url.host ? {} : { authorization: `Bearer ${token}` },
    );
  }

  close(): void {
    this.#caller.close();
  }
}

/** The JSON of an issuer's document. Throws a CallError that says `problem` if it is none. */
export async function readDocument(body: Uint8Array, problem: string): Promise<JsonValue> {
  try {
    return (await inTurns(readJson(body))).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof BodyLimitError)) throw error;
    throw new CallError(problem, { cause: error });
  }
}
