import { readEnvelope } from '../../../src/codec/protobuf/envelope.ts';
import { type RecordedRequest, RequestSender } from '../../recorded-requests.ts';
import type { TestServer } from '../../server-fixture.ts';
import { accepts, namespace, objects, requests } from './requests.ts';

/** Digests of responses by request; one per entry of `accepts`, in order. */
export type Played = ReadonlyMap<string, readonly string[]>;

/** Sends all requests to a fresh server. */
export async function play(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<Played> {
  using sender = await RequestSender.connect(server, 'negotiation');
  const space = {
    name: 'namespace',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: namespace } },
  };
  for (const object of [space, ...objects]) await sender.make(typed(object));
  const played = new Map<string, readonly string[]>();
  for (const sent of requests) {
    const answers = await Promise.all(accepts.map((accept) => sender.send({ ...typed(sent), accept })));
    played.set(sent.name, answers.map(digest));
  }
  return played;
}

function typed(asked: RecordedRequest): RecordedRequest {
  if (asked.body === undefined) return asked;
  const contentType = asked.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return { ...asked, contentType };
}

const recordedHeaders = [
  'content-type',
  'vary',
  'cache-control',
  'x-content-type-options',
  'content-encoding',
] as const;

/** `200 content-type=application/json ... compact v1 ConfigMap`; refusals include the message. */
function digest({ headers, bytes }: Awaited<ReturnType<RequestSender['send']>>): string {
  const named = recordedHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}=${String(headers[name])}`],
  );
  return [headers[':status'], ...named, contentOf(bytes, headers['content-type'])].join(' | ');
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
