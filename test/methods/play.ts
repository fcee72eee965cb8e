import { connect, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../api-client.ts';
import { adminTls } from '../server-fixture.ts';
import { type Asked, definitions, objects, requests } from './requests.ts';

/** Digests of responses by request. */
export type Played = ReadonlyMap<string, string>;

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Send = (asked: Asked) => Promise<Answer>;

/** Sends all requests to a fresh server. */
export async function play(server: { readonly url: string; readonly kubeconfigPath: string }): Promise<Played> {
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  const send: Send = async ({ method, path, contentType, accept, body }) => {
    const stream = session.request(
      {
        ':method': method,
        ':path': path,
        'user-agent': 'methods',
        ...(accept === undefined ? {} : { accept }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(JSON.stringify(body));
    const { headers, bytes } = await answerOf(stream);
    return { headers, text: bytes.toString() };
  };
  try {
    for (const asked of [...definitions, ...objects]) await made(send, asked);
    const played = new Map<string, string>();
    // Not all at once: priority and fairness would refuse some.
    for (let from = 0; from < requests.length; from += inFlight) {
      const batch = requests.slice(from, from + inFlight);
      const answers = await Promise.all(batch.map(async (asked) => digest(await send(asked))));
      for (const [index, { name }] of batch.entries()) played.set(name, answers[index] ?? '');
    }
    return played;
  } finally {
    session.destroy();
  }
}

const inFlight = 50;

/** A definition is served slightly later than it is created, and so is a namespace known. */
async function made(send: Send, asked: Asked): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { headers, text } = await send(asked);
    if (Number(headers[':status']) === 201) return;
    if (tries > 50) throw new Error(text);
    await sleep(50);
  }
}

/** `405 application/json {"kind":"Status",...}`; of objects what they are, of a watch its events. */
function digest({ headers, text }: Answer): string {
  const told = ['content-type', 'allow', 'accept-post', 'accept-patch'].flatMap((name) => headers[name] ?? []);
  return [headers[':status'], ...told, linesOf(text).map(lineDigest).join(' ')].join(' ').trim();
}

/** Indented bodies are one line too. */
function linesOf(text: string): readonly string[] {
  return text.startsWith('{\n') ? [JSON.stringify(JSON.parse(text))] : text.split('\n');
}

type Line = Partial<Record<'kind' | 'type' | 'apiVersion', string>> & {
  readonly metadata?: { readonly name?: string };
  readonly object?: Line;
};

function lineDigest(line: string): string {
  if (!line.startsWith('{')) return line;
  // Bodies and events of an API: only names are read from them.
  const value = JSON.parse(line) as Line;
  const { kind, apiVersion, metadata } = value.object ?? value;
  if (kind === 'Status') return line.replace(/"uid":"[^"]*"/, '"uid":"<uid>"');
  return [...(value.object === undefined ? [] : [value.type]), apiVersion, kind, metadata?.name ?? ''].join(' ');
}
