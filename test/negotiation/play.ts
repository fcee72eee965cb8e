import { connect, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { answerOf } from '../api-client.ts';
import { adminTls } from '../server-fixture.ts';
import { accepts, type Asked, namespace, objects, requests } from './requests.ts';

/** Digests of responses by request; one per entry of `accepts`, in order. */
export type Played = ReadonlyMap<string, readonly string[]>;

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Send = (asked: Asked, accept: string | undefined) => Promise<Answer>;

/** Sends all requests to a fresh server. */
export async function play(server: { readonly url: string; readonly kubeconfigPath: string }): Promise<Played> {
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  const send: Send = async ({ method, path, body }, accept) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const stream = session.request(
      {
        ':method': method,
        ':path': path,
        'user-agent': 'negotiation',
        ...(accept === undefined ? {} : { accept }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(JSON.stringify(body));
    const { headers, bytes } = await answerOf(stream);
    return { headers, body: bytes };
  };
  try {
    await makeObjects(send);
    const played = new Map<string, readonly string[]>();
    for (const asked of requests) {
      const answers = await Promise.all(accepts.map((accept) => send(asked, accept)));
      played.set(asked.name, answers.map(digest));
    }
    return played;
  } finally {
    session.destroy();
  }
}

/** The reference's admission sees a namespace slightly later. */
async function makeObjects(send: Send): Promise<void> {
  await send(
    { name: 'namespace', method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } },
    undefined,
  );
  for (const object of objects) {
    for (let tries = 0; ; tries += 1) {
      const { headers, body } = await send(object, undefined);
      if (Number(headers[':status']) === 201) break;
      if (tries > 50) throw new Error(body.toString());
      await sleep(50);
    }
  }
}

const told = ['content-type', 'vary', 'cache-control', 'x-content-type-options', 'content-encoding'] as const;

/** `200 content-type=application/json ... compact v1 ConfigMap`; refusals include the message. */
function digest({ headers, body }: Answer): string {
  const named = told.flatMap((name) => (headers[name] === undefined ? [] : [`${name}=${String(headers[name])}`]));
  return [headers[':status'], ...named, contentOf(body, headers['content-type'])].join(' | ');
}

function contentOf(body: Buffer, contentType: string | undefined): string {
  if (body.length === 0) return 'nothing';
  if (body.subarray(0, 4).toString('latin1') === 'k8s\0') {
    const { apiVersion, kind } = readEnvelope(body);
    return `protobuf ${apiVersion} ${kind}`;
  }
  const text = body.toString();
  if (text.startsWith('{')) return jsonContent(text);
  const line = (key: string): string | undefined => new RegExp(`^${key}: (\\S+)$`, 'm').exec(text)?.[1];
  if (contentType === 'application/yaml') return `yaml ${line('apiVersion') ?? ''} ${line('kind') ?? ''}`;
  return contentType?.startsWith('text/') ? `text ${text.slice(0, 6)}` : 'binary';
}

type Fields = { readonly [name in 'kind' | 'apiVersion' | 'type' | 'reason' | 'message']?: string };

function jsonContent(text: string): string {
  const style = `${text.startsWith('{\n') ? 'indented' : 'compact'}${text.endsWith('\n') ? ' line' : ''}`;
  const [first = ''] = text.split('\n');
  // API bodies: only strings are read from them.
  const value = JSON.parse(first.endsWith('}') ? first : text) as Fields & { readonly object?: Fields };
  const { kind, apiVersion, reason, message } = value.object ?? value;
  if (kind === undefined) return `${style} ${Object.keys(value)[0]}`;
  const what = `${style} ${value.object === undefined ? '' : value.type} ${apiVersion} ${kind}`;
  return kind === 'Status' ? `${what} ${reason} ${message}` : what;
}
