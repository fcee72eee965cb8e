import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { kubeletMisdeeds } from './kubelet-misdeeds.ts';
import { endlessly, type Misdeed } from './misdeed.ts';
import { endHeaders, endStream, frame, framesIn, frameTypes, literal } from './raw-client.ts';

/** The group that all of them serve. */
export const group = 'hostile.example';
const version = `/apis/${group}/v1`;

type Misbehave = (socket: TLSSocket, path: string) => void;

/** Byte by byte, slowly. */
function dripping(socket: TLSSocket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at === text.length || socket.destroyed) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, 20);
}

function answer(body: string | Buffer, headers: readonly string[] = [], status = '200 OK'): Buffer {
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

const json = 'Content-Type: application/json';
const aggregated = 'Content-Type: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const chunkedHead = (type: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const sixtyFourKb = 'x'.repeat(64 * 1024);

const resource = (name: string): object => ({
  name,
  singularName: '',
  namespaced: true,
  kind: 'Thing',
  verbs: ['get', 'list'],
});
const resources = JSON.stringify({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/v1`,
  resources: [resource('things')],
});

/** What a server must answer to be asked for more. */
function behave(socket: TLSSocket, path: string): boolean {
  if (path === '/apis' || path.startsWith('/openapi/')) socket.write(answer('', [], '404 Not Found'));
  else if (path === version) socket.write(answer(resources, [json]));
  else return false;
  return true;
}

/** A server that reads heads, and answers discovery unless `everything` is its own. */
function over1(misbehave: Misbehave, everything: (path: string) => boolean = () => false): Misdeed {
  return {
    protocol: 'http/1.1',
    serve(socket) {
      let head = '';
      const read = (data: Buffer): void => {
        head += data.toString('latin1');
        if (!head.includes('\r\n\r\n')) return;
        const path = (head.split(' ', 2)[1] ?? '').split('?', 1)[0] ?? '';
        head = '';
        if (everything(path) || !behave(socket, path)) misbehave(socket, path);
      };
      socket.on('data', read);
    },
  };
}

/** Only answers what servers are asked before they are used. */
export const wellBehaved: Misdeed = over1((socket) => void socket.write(answer('')));

/** A server of raw frames, which misbehaves as soon as it is connected, or at its first request. */
function framed(misbehave: (socket: TLSSocket, stream: number) => void): Misdeed {
  return {
    protocol: 'h2',
    serve(socket) {
      let read = Buffer.alloc(0);
      let begun = false;
      socket.write(frame({ type: frameTypes.settings }));
      socket.on('data', (data: Buffer) => {
        if (begun) return;
        read = Buffer.concat([read, data]);
        const frames = framesIn(read.subarray(24));
        if (frames.some(({ type, flags }) => type === frameTypes.settings && flags === 0)) {
          socket.write(frame({ type: frameTypes.settings, flags: 1 }));
        }
        const headersFrame = frames.find(({ type }) => type === frameTypes.headers);
        if (headersFrame === undefined) return;
        begun = true;
        misbehave(socket, headersFrame.stream);
      });
    },
  };
}

/** Another server over HTTP/2, by node's own implementation. */
function over2(settings: Parameters<typeof createServer>[0]): Misdeed {
  const server = createServer(settings);
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    if (path === version) stream.respond({ ':status': 200, 'content-type': 'application/json' });
    else if (path === '/apis' || path.startsWith('/openapi')) stream.respond({ ':status': 404 }, { endStream: true });
    if (path === version) stream.end(resources);
  });
  return { protocol: 'h2', serve: (socket) => void server.emit('connection', socket) };
}

const headersOf200 = Buffer.concat([Buffer.from([0x88]), literal('content-type', 'text/plain')]);
const began = (stream: number): Buffer =>
  frame({ type: frameTypes.headers, flags: endHeaders, stream, payload: headersOf200 });
const many = (each: Buffer): Buffer => Buffer.concat(Array.from({ length: 1_000 }, () => each));

const requests: { readonly [name: string]: Misdeed } = {
  'no answer': over1(() => undefined),
  'a head that drips': over1((socket) => dripping(socket, `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(10_000)}`)),
  'a header of 10 MB': over1((socket) => void socket.write(answer('', [`X-A: ${'a'.repeat(10_000_000)}`]))),
  'a million headers': over1(
    (socket) => void socket.write(answer('', [Array.from({ length: 1_000_000 }, () => 'X-A: a').join('\r\n')])),
  ),
  'a head without end': over1((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    endlessly(socket, 'X-A: a\r\n'.repeat(8_000));
  }),
  'informational answers without end': over1((socket) =>
    endlessly(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)),
  ),
  'a body that drips': over1((socket) => dripping(socket, `${chunkedHead('text/plain')}${chunk('a').repeat(10_000)}`)),
  'a short body that drips': over1((socket) =>
    dripping(socket, `HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n${'a'.repeat(9_000)}`),
  ),
  'a body without end': over1((socket) => {
    socket.write(chunkedHead('text/plain'));
    endlessly(socket, chunk(sixtyFourKb));
  }),
  'a body of single bytes without end': over1((socket) => {
    socket.write(chunkedHead('text/plain'));
    endlessly(socket, chunk('a').repeat(10_000));
  }),
  'a chunk extension without end': over1((socket) => {
    socket.write(`${chunkedHead('text/plain')}1;`);
    endlessly(socket, sixtyFourKb);
  }),
  'trailers without end': over1((socket) => {
    socket.write(`${chunkedHead('text/plain')}0\r\n`);
    endlessly(socket, 'X-A: a\r\n'.repeat(8_000));
  }),
  'a body cut off': over1((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
  'an answer to nobody': over1((socket) => endlessly(socket, many(answer('unasked')))),
  'two lengths': over1((socket) => void socket.write(answer('a', ['Content-Length: 2']))),
  'no HTTP': over1((socket) => endlessly(socket, sixtyFourKb)),
  'an upgrade that nobody asked for': over1((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n');
    endlessly(socket, sixtyFourKb);
  }),
  'no reading': over1((socket) => void socket.pause()),
  'no reading of what is tunneled': over1((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pause();
  }),
  'settings without end': framed((socket) => endlessly(socket, many(frame({ type: frameTypes.settings })))),
  'pings without end': framed((socket) =>
    endlessly(socket, many(frame({ type: frameTypes.ping, payload: Buffer.alloc(8) }))),
  ),
  'empty frames without end': framed((socket, stream) => {
    socket.write(began(stream));
    endlessly(socket, many(frame({ type: frameTypes.data, stream })));
  }),
  'frames of a byte without end': framed((socket, stream) => {
    socket.write(began(stream));
    endlessly(socket, many(frame({ type: frameTypes.data, stream, payload: Buffer.from('a') })));
  }),
  'continuations without end': framed((socket, stream) => {
    socket.write(frame({ type: frameTypes.headers, stream, payload: headersOf200 }));
    endlessly(socket, many(frame({ type: frameTypes.continuation, stream, payload: literal('x-a', 'a'.repeat(100)) })));
  }),
  'trailers before an answer': framed(
    (socket, stream) =>
      void socket.write(
        frame({ type: frameTypes.headers, flags: endHeaders | endStream, stream, payload: literal('x-a', 'a') }),
      ),
  ),
  'no streams': over2({ settings: { maxConcurrentStreams: 0 } }),
  'no answer over HTTP/2': over2({}),
  'no room for bodies': over2({ settings: { initialWindowSize: 0 } }),
};

const page = (body: string | Buffer, headers: readonly string[] = []): Misdeed =>
  over1((socket) => void socket.write(answer(body, ['Content-Type: text/html', ...headers])));

const pages: { readonly [name: string]: Misdeed } = {
  'a page of beginnings of tags': page('<a'.repeat(500_000)),
  'a page of tags in tags': page('<a <'.repeat(250_000)),
  'a page of attributes': page(`<a ${'href="/a" '.repeat(100_000)}`),
  'a page of open quotes': page(`${'<a href="/a '.repeat(80_000)}`),
  'a page of links': page('<a href="/a">'.repeat(80_000)),
  'a page of comments that do not end': page('<!--'.repeat(250_000)),
  'a page of scripts that do not end': page('<script>'.repeat(125_000)),
  'a page of ends': page('</'.repeat(500_000)),
  'a page that inflates a thousandfold': page(gzipSync('<a href="/a">'.repeat(8_000_000)), ['Content-Encoding: gzip']),
  'a page that is not what it says': page('no gzip'.repeat(10_000), ['Content-Encoding: gzip']),
  'a link of 1 MB': page(`<a href="/${'a/../'.repeat(200_000)}">`),
};

/** Documents of discovery and OpenAPI, by path. */
function telling(documents: { readonly [path: string]: () => Buffer }): Misdeed {
  const made = new Map<string, Buffer>();
  return over1(
    (socket, path) => {
      const body = made.get(path) ?? documents[path]?.() ?? answer('', [], '404 Not Found');
      made.set(path, body);
      socket.write(body);
    },
    (path) => path in documents,
  );
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const described = (name: string): object => ({
  type: 'object',
  properties: { next: { $ref: `#/definitions/${name}` } },
});

function discovery(count: number): string {
  const kind = { group, version: 'v1', kind: 'Thing' };
  const items = Array.from({ length: count }, (_, index) => ({
    resource: `thing${index}`,
    responseKind: kind,
    scope: 'Namespaced',
    singularResource: 'thing',
    verbs: ['get'],
  }));
  return JSON.stringify({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: [{ metadata: { name: group }, versions: [{ version: 'v1', resources: items, freshness: 'Current' }] }],
  });
}

const path = `${version}/things`;

function swagger(definitions: { readonly [name: string]: object }, paths: number): string {
  const refs = Object.keys(definitions).map((name) => ({ $ref: `#/definitions/${name}` }));
  const item = { get: { responses: { 200: { schema: refs[0] ?? {} } } } };
  const entries = Array.from({ length: paths }, (_, index) => [index === 0 ? path : `${path}${index}`, item]);
  return JSON.stringify({ swagger: '2.0', paths: Object.fromEntries(entries) as object, definitions });
}

const chain = (count: number): { readonly [name: string]: object } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, described(`d${index + 1}`)]));

const documents: { readonly [name: string]: Misdeed } = {
  'discovery without end': over1(
    (socket) => {
      socket.write(chunkedHead('application/json'));
      endlessly(socket, chunk(sixtyFourKb));
    },
    (asked) => asked === '/apis' || asked.startsWith('/openapi'),
  ),
  'discovery that drips': over1(
    (socket) => dripping(socket, answer(resources).toString()),
    (asked) => asked === '/apis',
  ),
  'discovery nested 2,000,000 deep': telling({ '/apis': () => answer(nested(2_000_000), [aggregated]) }),
  'discovery of 20,000 resources': telling({ '/apis': () => answer(discovery(20_000), [aggregated]) }),
  'discovery of 50 MB': telling({
    '/apis': () => answer(discovery(1).replace('"get"', `"get"${',"a"'.repeat(12_500_000)}`), [aggregated]),
  }),
  'discovery of 4 MB of verbs': telling({
    '/apis': () => answer(discovery(1).replace('"get"', `"get"${',"a"'.repeat(900_000)}`), [aggregated]),
  }),
  'older discovery of 30,000 resources': telling({
    '/apis': () => answer('', [], '406 Not Acceptable'),
    [version]: () =>
      answer(
        JSON.stringify({
          kind: 'APIResourceList',
          apiVersion: 'v1',
          groupVersion: `${group}/v1`,
          resources: Array.from({ length: 30_000 }, (_, index) => resource(`thing${index}`)),
        }),
        [json],
      ),
  }),
  'discovery of another type': telling({ '/apis': () => answer('<html>', ['Content-Type: text/html']) }),
  'discovery elsewhere': telling({ '/apis': () => answer('', ['Location: /apis'], '302 Found') }),
  'unchanged discovery of nothing': telling({ '/apis': () => answer('', [], '304 Not Modified') }),
  'OpenAPI v2 nested 4,000,000 deep': telling({
    '/openapi/v2': () => answer(`{"paths":${nested(4_000_000)}}`, [json]),
  }),
  'OpenAPI v2 of definitions in a chain': telling({ '/openapi/v2': () => answer(swagger(chain(90_000), 1), [json]) }),
  'OpenAPI v2 of 50 MB': telling({
    '/openapi/v2': () => answer(swagger({ large: { description: 'a'.repeat(50_000_000) } }, 1), [json]),
  }),
  'OpenAPI v2 of 60,000 paths': telling({ '/openapi/v2': () => answer(swagger(chain(2), 60_000), [json]) }),
  'OpenAPI v2 of one large definition': telling({
    '/openapi/v2': () =>
      answer(swagger({ large: { properties: Object.fromEntries(Object.entries(chain(60_000))) } }, 1), [json]),
  }),
  'OpenAPI v3 of 100,000 documents': telling({
    '/openapi/v3': () => {
      const urls = Array.from({ length: 100_000 }, (_, index) => [
        `apis/${index}`,
        { serverRelativeURL: `/o/${index}` },
      ]);
      return answer(JSON.stringify({ paths: Object.fromEntries(urls) as object }), [json]);
    },
  }),
};

export const misdeeds: ReadonlyMap<string, Misdeed> = new Map(
  Object.entries({ ...requests, ...pages, ...documents, ...kubeletMisdeeds }),
);
export const requestMisdeeds: readonly string[] = Object.keys(requests);
/** Names of misdeeds over HTTP/1.1. */
export const plainMisdeeds: readonly string[] = requestMisdeeds.filter(
  (name) => misdeeds.get(name)?.protocol === 'http/1.1',
);
export const pageMisdeeds: readonly string[] = Object.keys(pages);
export const documentMisdeeds: readonly string[] = Object.keys(documents);
