import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { Shown } from './certificates.ts';

/** The credentials of a request. */
export interface Showing {
  readonly tls?: Shown | undefined;
  /** Lower-case names; repeated ones are sent separately. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** The server's verdict: `401`, or the user it authenticated. */
export type Said = string;

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
const usual = [['content-type', 'application/json']] as const;

/** The transports for asking who one is. Over WebSockets only the name is known, from the refusal. */
export const ways: { readonly [way: string]: (url: string, showing: Showing) => Promise<Said> } = {
  'HTTP/1.1': overHttp1,
  'HTTP/2': overHttp2,
  WebSocket: overWebSocket,
};

async function overHttp1(url: string, { tls, headers = [] }: Showing): Promise<Said> {
  const { hostname, port } = new URL(url);
  const flat = [...usual, ['host', 'x'], ['content-length', String(review.length)], ...headers].flat() as string[];
  const options = { hostname, port, path, method: 'POST', agent: false, rejectUnauthorized: false, headers: flat };
  const call = request({ ...options, ...tls });
  // Text would be joined with the head, and decide its encoding.
  call.end(Buffer.from(review));
  const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  return outcomeOf(response.statusCode, await readStream(response));
}

async function overHttp2(url: string, { tls, headers = [] }: Showing): Promise<Said> {
  const session = connect(url, { rejectUnauthorized: false, ...tls });
  // A server may close the connection after a refusal.
  session.on('error', () => undefined);
  const raw = [[':method', 'POST'], [':path', path], ...usual, ...headers].flat() as string[];
  const stream = session.request(raw);
  stream.end(review);
  const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }];
  const text = await readStream(stream as AsyncIterable<Buffer>);
  session.close();
  return outcomeOf(answer[':status'] ?? 0, text);
}

async function overWebSocket(url: string, { tls, headers = [] }: Showing): Promise<Said> {
  const grouped: { [name: string]: string[] } = {};
  for (const [name, value] of headers) (grouped[name] ??= []).push(value);
  const protocols = grouped['sec-websocket-protocol'] ?? [];
  delete grouped['sec-websocket-protocol'];
  const socket = new WebSocket(`${url.replace('https', 'wss')}/api/v1/nodes?watch=1`, protocols, {
    rejectUnauthorized: false,
    agent: undefined as never,
    origin: 'http://x',
    ...tls,
    // Node accepts lists, which the types of ws do not declare.
    headers: grouped as unknown as { [name: string]: string },
  });
  const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
    const answer = response as AsyncIterable<Buffer> & { statusCode: number };
    return outcomeOf(answer.statusCode, await readStream(answer));
  });
  const opened = once(socket, 'open').then(() => 'taken');
  const said = await Promise.race([refused, opened.catch(() => refused)]);
  socket.on('error', () => undefined);
  socket.terminate();
  return said;
}

async function readStream(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
}

function outcomeOf(code: number, text: string): Said {
  if (code === 403) {
    const [, name = text] =
      /User "((?:[^"\\]|\\.)*)" cannot/.exec((JSON.parse(text) as { message: string }).message) ?? [];
    return name;
  }
  if (code !== 201) return String(code);
  const { status } = JSON.parse(text) as JsonObject & { readonly status: { readonly userInfo: UserInfo } };
  const { username = '', uid = '', groups = [], extra = {} } = status.userInfo;
  const parts = [username, ...(uid === '' ? [] : [`uid=${uid}`])];
  const own = groups.filter((group) => group !== 'system:authenticated');
  if (own.length > 0) parts.push(`groups=${own.join(',')}`);
  for (const key of Object.keys(extra).toSorted()) {
    if (key !== 'authentication.kubernetes.io/credential-id') parts.push(`${key}=${(extra[key] ?? []).join(',')}`);
  }
  return parts.join(' ');
}

/** Only the name, which is all that WebSockets reveal. */
export function nameIn(said: Said): string {
  return said.replace(/ (?:uid|groups|[\w./%\ufffd-]+)=.*$/s, '');
}
