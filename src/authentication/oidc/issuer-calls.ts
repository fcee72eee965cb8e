import { type CallAnswer, HttpCaller } from '../../outgoing/http-call.ts';
import { Upstream } from '../../outgoing/upstream.ts';

const timeoutMs = 30_000;
const maxAnswerBytes = 16 * 1024 * 1024;

/** Sends a request to an issuer, following redirects. Credentials go to no other host. Throws a CallError. */
export class IssuerCalls {
  readonly #caller: HttpCaller;

  /** `authority`: PEM; empty: the system's. */
  constructor(authority: string) {
    this.#caller = new HttpCaller(new Upstream(authority === '' ? {} : { ca: authority }));
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
