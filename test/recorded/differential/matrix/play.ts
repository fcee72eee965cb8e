import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { isJsonObject } from '../../../../src/api/json/json.ts';
import { adminTls } from '../../../server-fixture.ts';
import { cells, namespace } from './cells.ts';
import { type Digest, digestOf, type RawResponse } from './digest.ts';
import { Versions } from './versions.ts';

const concurrency = 60;
const path = `/api/v1/namespaces/${namespace}/configmaps`;

interface Session extends Disposable {
  send(
    method: string,
    target: string,
    options?: { readonly body?: unknown; readonly accept?: string | undefined },
  ): Promise<RawResponse>;
}

/** Plays the matrix against one server; returns the responses by cell. */
export async function playMatrix(server: {
  readonly url: string;
  readonly kubeconfigPath: string;
}): Promise<Map<string, Digest>> {
  using session = openSession(connect(server.url, await adminTls(server.kubeconfigPath)));
  const names = await setUp(session);
  const answers = new Map<string, Digest>();
  const waiting = [...cells.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [, cell] = next;
      const answer = await session.send('GET', fillIn(cell.path, names), { accept: cell.accept });
      answers.set(cell.name, digestOf(answer, names.versions, { whole: false, timedBookmarks: false, ...cell }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return new Map(cells.map(({ name }) => [name, answers.get(name)!]));
}

interface Names {
  readonly versions: Versions;
  readonly token: string;
}

/*
 * The set-up, and the versions that responses refer to:
 *
 *   first   the namespace
 *   a, b, N created a (red), b (blue), c (red)
 *   b2      b turns green
 *   a2      a turns blue
 *           c is deleted
 *   d       created (red)
 *   latest  anything from here on
 */
async function setUp(session: Session): Promise<Names> {
  const versions = new Versions();
  const write = async (name: string, method: string, target: string, body?: unknown): Promise<void> => {
    const { code, text } = await session.send(method, target, { body });
    if (code > 201) throw new Error(`${method} ${target}: ${code} ${text}`);
    if (name !== '') versions.add(name, versionOf(text));
  };
  const object = (name: string, color: string): unknown => ({ metadata: { name, labels: { color } } });
  await write('first', 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await write('a', 'POST', path, object('a', 'red'));
  await write('b', 'POST', path, object('b', 'blue'));
  await write('N', 'POST', path, object('c', 'red'));
  await write('b2', 'PUT', `${path}/b`, object('b', 'green'));
  await write('a2', 'PUT', `${path}/a`, object('a', 'blue'));
  await write('', 'DELETE', `${path}/c`);
  await write('d', 'POST', path, object('d', 'red'));
  // Caches that serve any version have seen everything by then.
  const latest = await session.send('GET', path);
  versions.add('latest', Math.max(versionOf(latest.text), versions.get('d') + 1));
  versions.add('future', versions.get('latest') + 1_000_000);
  await write('', 'POST', path, object('e', 'blue'));
  await session.send('GET', path);
  const page = await session.send(
    'GET',
    `${path}?limit=1&resourceVersion=${versions.get('N')}&resourceVersionMatch=Exact`,
  );
  return { versions, token: metadataOf(page.text).continue ?? '' };
}

function metadataOf(text: string): { readonly resourceVersion?: string; readonly continue?: string } {
  // Objects and lists have metadata.
  return (JSON.parse(text) as { readonly metadata: object }).metadata;
}

function versionOf(text: string): number {
  return Number(metadataOf(text).resourceVersion);
}

function fillIn(template: string, { versions, token }: Names): string {
  return template
    .replace('{token}', token)
    .replace('{inconsistent}', inconsistent(token))
    .replace(/\{raw:(.*)\}$/, (_, text: string) => Buffer.from(text).toString('base64url'))
    .replace(/\{(\w+)\}/g, (_, name: string) => String(versions.get(name)));
}

/** The token offered by a 410: the same position in the latest state. */
function inconsistent(token: string): string {
  const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  if (!isJsonObject(parsed)) throw new Error(`no token: ${token}`);
  return Buffer.from(JSON.stringify({ ...parsed, rv: -1 })).toString('base64url');
}

function openSession(session: ClientHttp2Session): Session {
  return {
    async send(method, target, { body, accept } = {}) {
      const stream = session.request({
        ':method': method,
        ':path': target,
        accept: accept ?? 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      });
      stream.end(body === undefined ? undefined : JSON.stringify(body));
      const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>();
      stream.once('response', resolve);
      stream.once('error', reject);
      const headers = await promise;
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
      return { code: Number(headers[':status']), headers, text: Buffer.concat(chunks).toString('utf8') };
    },
    [Symbol.dispose]: () => session.destroy(),
  };
}
