import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

export interface AnonymousResponse {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A request over HTTP/1.1 without credentials, unless they are among its headers. */
export async function anonymousRequest(
  method: string,
  url: string,
  headers: { readonly [name: string]: string } = {},
): Promise<AnonymousResponse> {
  const call = request(url, { method, headers, agent: false, rejectUnauthorized: false }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { code: response.statusCode ?? 0, headers: response.headers, text };
}
