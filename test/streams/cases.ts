/** One request; `ADDR` is an address of this machine that is not loopback, `PORT` that of the kubelet there. */
export interface ProxyCase {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

const pods = '/api/v1/namespaces/streams/pods';
const services = '/api/v1/namespaces/streams/services';
const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };

const get = (path: string): ProxyCase => ({ name: `GET ${path}`, path });

export const proxyCases: readonly ProxyCase[] = [
  // Logs.
  ...[
    '',
    '?container=main',
    '?container=other',
    '?container=',
    '?follow=true&previous=1&timestamps=x',
    '?tailLines=5&limitBytes=10&sinceSeconds=3',
    '?tailLines=-1',
    '?limitBytes=0',
    '?sinceSeconds=0',
    '?tailLines=x',
    '?sinceTime=2026-01-02T03:04:05Z',
    '?sinceTime=2026-01-02T03:04:05%2B02:00',
    '?sinceTime=yesterday',
    '?sinceTime=null',
    '?sinceTime=',
    '?sinceTime=2026-01-02T03:04:05Z&sinceSeconds=4',
    '?stream=Stdout',
    '?insecureSkipTLSVerifyBackend=true',
    '?tailLines=99999999999999999999',
    '?tailLines=-1&limitBytes=0',
  ].map((query) => get(`${pods}/one/log${query}`)),
  ...['two', 'init', 'pending', 'lost', 'dead', 'addressless', 'nobody'].map((pod) => get(`${pods}/${pod}/log`)),
  ...['two', 'init'].map((pod) => get(`${pods}/${pod}/log?container=second`)),
  get(`${pods}/init/log?container=first`),
  ...['missing', 'bad', 'broken', 'denied', 'unauthorized', 'teapot', 'busy', 'moved'].map((word) =>
    get(`${pods}/${word}/log`),
  ),
  get(`${pods}/one/log/more`),
  ...['POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({
    name: `${method} of a log`,
    method,
    path: `${pods}/one/log`,
  })),
  ...['text/plain', 'application/json', 'text/html', 'application/json, */*', 'image/png'].map((accept) => ({
    name: `a log as ${accept}`,
    path: `${pods}/one/log`,
    headers: { accept },
  })),
  // Proxies.
  ...[
    '',
    '/',
    '/a/b?c=d&e=%20',
    '/a%2Fb%20c',
    '/a//b/../c',
    '/a/./',
    '/page',
    '/moved',
    '/away',
    '/oddly',
    '/missing',
    "/it's(so)!*,;:@&=+$~",
  ].map((path) => get(`${pods}/https:one:PORT/proxy${path}`)),
  ...['PUT', 'POST', 'PATCH', 'DELETE'].map((method) => ({
    name: `${method} by a pod`,
    method,
    path: `${pods}/https:one:PORT/proxy/x?y=z`,
    body: 'a body',
  })),
  ...['HEAD', 'OPTIONS', 'POST'].map((method) => ({
    name: `${method} by a pod without a path`,
    method,
    path: `${pods}/https:one:PORT/proxy`,
  })),
  { name: 'a method that is not proxied', method: 'REPORT', path: `${pods}/https:one:PORT/proxy/x` },
  {
    name: 'headers',
    path: `${pods}/https:one:PORT/proxy/x`,
    headers: {
      'x-forwarded-for': '192.0.2.9',
      'x-remote-user': 'root',
      'x-remote-extra-a': 'b',
      te: 'trailers',
      cookie: 'a=b',
      connection: 'x-hop',
      'x-hop': '1',
      'x-forwarded-uri': '/x',
      'x-forwarded-host': 'h',
      accept: 'text/html',
    },
  },
  ...['one:1', 'one', 'http:one:1', 'ftp:one:1', 'a:b:c:d', ':1', 'loop:1', 'bare', 'local', 'nobody', 'one:99999'].map(
    (id) => get(`${pods}/${id}/proxy/`),
  ),
  { name: 'a dry run', path: `${pods}/one/proxy/?dryRun=All` },
  ...[
    'https:web:web',
    'https:web:443',
    'https:web:444',
    'https:web:',
    'https:web',
    'web:none',
    'nothing',
    'https:unnamed',
    'web:web:web',
    'https:unready:web',
    'https:foreign:web',
    'https:faked:web',
    'ftp:web:1',
    'https:portless:web',
  ].map((id) => get(`${services}/${id}/proxy/x`)),
  ...['addr', 'https:addr:PORT', 'addr:1', 'loop', 'link', 'addressless', 'nobody', 'named', 'a:b:c:d'].map((id) =>
    get(`/api/v1/nodes/${id}/proxy/pods?x=y`),
  ),
  get('/api/v1/nodes/addr/proxy'),
  {
    name: 'an upgrade by a pod that is refused',
    path: `${pods}/https:one:PORT/proxy/denied`,
    headers: { connection: 'Upgrade', upgrade: 'websocket' },
  },
  // Streams without one.
  ...[
    'exec?command=a&stdout=1',
    'attach?stdout=1',
    'portforward',
    'portforward?ports=80,x',
    'portforward?ports=70000',
  ].map((path) => get(`${pods}/one/${path}`)),
  ...['exec?command=a', 'attach', 'portforward'].map((path) => ({
    name: `POST ${path}`,
    method: 'POST',
    path: `${pods}/one/${path}`,
  })),
  ...['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'].map((method) => ({
    name: `${method} of an exec`,
    method,
    path: `${pods}/one/exec`,
  })),
  get(`${pods}/one/exec/more`),
  ...['two', 'pending', 'lost', 'addressless', 'nobody', 'init'].map((pod) => get(`${pods}/${pod}/exec?command=a`)),
  get(`${pods}/pending/portforward`),
  get(`${pods}/two/exec?command=a&container=nothing`),
  ...['denied', 'broken', 'odd', 'gone', 'dead', 'moved'].map((pod) => ({
    name: `an exec over SPDY that ${pod} refuses`,
    method: 'POST',
    path: `${pods}/${pod}/exec?command=a&stdin=1&tty=true`,
    headers: upgrade,
  })),
];

/** A WebSocket, the sent messages, and those received until it closes. */
export interface SocketCase {
  readonly name: string;
  readonly path: string;
  readonly protocols: readonly string[];
  /** As text, after the channel if there is one. */
  readonly sends?: readonly string[];
}

const v5 = ['v5.channel.k8s.io'];
const ended = ['\u0000some\n', '\u0000more\n', '\u00ff\u0000'];

export const socketCases: readonly SocketCase[] = [
  ...['one', 'exits', 'fails', 'old', 'unknown', 'silent', 'denied', 'broken', 'odd', 'dead', 'moved'].map((pod) => ({
    name: `a command of ${pod}`,
    path: `${pods}/${pod}/exec?command=a&stdout=1&stderr=1`,
    protocols: v5,
  })),
  { name: 'input', path: `${pods}/one/exec?command=a&stdin=1&stdout=1&stderr=1`, protocols: v5, sends: ended },
  { name: 'an exit after input', path: `${pods}/exits/exec?command=a&stdin=1&stdout=1`, protocols: v5, sends: ended },
  { name: 'only errors', path: `${pods}/one/exec?command=a&stderr=1`, protocols: v5 },
  { name: 'no stream', path: `${pods}/one/exec?command=a`, protocols: v5 },
  {
    name: 'a terminal',
    path: `${pods}/one/attach?stdin=1&stdout=1&stderr=1&tty=1`,
    protocols: v5,
    sends: ['\u0004{"Width":80,"Height":24}', ...ended],
  },
  { name: 'several protocols', path: `${pods}/one/exec?command=a&stdout=1`, protocols: ['v4.channel.k8s.io', ...v5] },
  {
    name: 'an older protocol',
    path: `${pods}/one/exec?command=a&stdin=1`,
    protocols: ['v4.channel.k8s.io'],
    sends: ['\u0000hi'],
  },
  { name: 'no protocol', path: `${pods}/one/exec?command=a&stdin=1`, protocols: [], sends: ['\u0000hi'] },
  {
    name: 'a tunnel',
    path: `${pods}/one/portforward?ports=80`,
    protocols: ['SPDY/3.1+portforward.k8s.io'],
    sends: ['hello'],
  },
  {
    name: 'a tunnel of two',
    path: `${pods}/one/portforward`,
    protocols: ['SPDY/3.1+other.k8s.io', 'SPDY/3.1+portforward.k8s.io'],
    sends: ['x'],
  },
  ...['denied', 'broken', 'odd', 'dead'].map((pod) => ({
    name: `a tunnel that ${pod} refuses`,
    path: `${pods}/${pod}/portforward`,
    protocols: ['SPDY/3.1+portforward.k8s.io'],
  })),
  { name: 'a socket by a pod', path: `${pods}/https:one:PORT/proxy/socket`, protocols: ['chat'], sends: ['hi'] },
];

/** Requests that a webhook sees; it has `two` connect with its second container, and denies `other`. */
export const admittedCases: readonly ProxyCase[] = [
  {
    name: 'an exec',
    method: 'POST',
    path: `${pods}/one/exec?command=a&command=b&stdin=1&stdout=true&tty=false&container=main`,
    headers: upgrade,
  },
  { name: 'an exec without a command', path: `${pods}/denied/exec`, headers: upgrade },
  {
    name: 'an exec whose options are changed',
    method: 'POST',
    path: `${pods}/two/exec?command=a&stdout=1`,
    headers: upgrade,
  },
  { name: 'an attach', path: `${pods}/one/attach?stderr=1`, headers: upgrade },
  { name: 'a port forward', method: 'POST', path: `${pods}/one/portforward?ports=80,81&ports=82`, headers: upgrade },
  { name: 'a proxy to a pod', method: 'DELETE', path: `${pods}/https:one:PORT/proxy/a/b/?c=d` },
  { name: 'a proxy to a pod that is denied', path: `${pods}/https:other:PORT/proxy/` },
  { name: 'a proxy to a service', path: `${services}/https:web:web/proxy/x` },
  { name: 'a proxy to a node', path: '/api/v1/nodes/addr/proxy' },
];
