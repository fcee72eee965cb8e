import { CallError, type CallAnswer, HttpCaller } from '../../outgoing/http-call.ts';

const timeoutMs = 30_000;
const maxAnswerBytes = 16 * 1024 * 1024;
const maxRedirects = 10;

/** Sends a request to an issuer, following redirects. Credentials go to no other host. Throws a CallError. */
export class IssuerCalls {
  readonly #caller: HttpCaller;

  /** `authority`: PEM; empty: the system's. */
  constructor(authority: string) {
    this.#caller = new HttpCaller(authority === '' ? {} : { ca: authority });
  }

  async get(address: string, token = ''): Promise<CallAnswer> {
    let url = new URL(address);
    const { host } = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const headers = token === '' || url.host !== host ? {} : { authorization: `Bearer ${token}` };
      // oxlint-disable-next-line no-await-in-loop -- one answer leads to the next
      const answer = await this.#caller.call({ method: 'GET', url, headers, timeoutMs, maxAnswerBytes });
      const location = answer.header('location');
      if (answer.status < 301 || answer.status > 308 || location === undefined) return answer;
      url = new URL(location, url);
    }
    throw new CallError(`Get "${address}": stopped after ${maxRedirects} redirects`);
  }

  close(): void {
    this.#caller.close();
  }
}
