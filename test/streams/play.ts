import { request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeRaw } from '../../src/api/json/json-text.ts';
import { ApiClient } from '../api-client.ts';
import { adminTls } from '../server-fixture.ts';
import { startHookServer } from '../webhooks/hook-server.ts';
import { admittedCases, type ProxyCase, proxyCases, type SocketCase, socketCases } from './cases.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';

export interface ProxyResult {
  readonly name: string;
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: unknown;
  /** The requests that reached the kubelet. */
  readonly received: readonly string[];
}

export interface SocketResult {
  readonly name: string;
  /** The status of a refusal. */
  readonly status?: number;
  readonly body?: string;
  readonly protocol?: string;
  readonly messages?: readonly string[];
  readonly received: readonly string[];
}

export interface Results {
  readonly admitted: readonly ProxyResult[];
  /** The reviews of those, without who asked. */
  readonly reviews: readonly unknown[];
  readonly proxies: readonly ProxyResult[];
  readonly sockets: readonly SocketResult[];
}

/** Between the first message of what does not end by itself and its end. */
const quietMs = 300;

/** No answer takes so long, also beside other tests. */
const limitMs = 20_000;

interface Played {
  readonly url: string;
  readonly kubeconfigPath: string;
}

/** An address of this machine by which pods may be reached; undefined if it has none. */
export function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal && !each.address.startsWith('169.254.'))?.address;
}

/** Runs all cases against a server and returns the outcomes, with names in place of addresses. */
export async function playStreams(
  server: Played,
  { folder, settleMs }: { readonly folder: string; readonly settleMs: number },
): Promise<Results> {
  const address = ownAddress() ?? '';
  await using kubelet = await startKubelet(folder, '0.0.0.0');
  using admin = await ApiClient.connect(server);
  await prepare(admin, kubelet, address);
  const player = new Player(server, kubelet, address, await adminTls(server.kubeconfigPath));
  const proxies: ProxyResult[] = [];
  for (const each of proxyCases) proxies.push(await player.ask(each));
  const sockets: SocketResult[] = [];
  for (const each of socketCases) sockets.push(await player.connect(each));
  const hooks = await admit(admin, player, { folder, settleMs });
  return { proxies, sockets, ...hooks };
}

/** Plays with a webhook for connections. */
async function admit(
  admin: ApiClient,
  player: Player,
  { folder, settleMs }: { readonly folder: string; readonly settleMs: number },
): Promise<Pick<Results, 'admitted' | 'reviews'>> {
  await using hooks = await startHookServer(folder, (_path, { request: asked }) => {
    const name = encodeRaw(asked['name'] ?? '');
    if (name.includes('other')) return { response: { allowed: false, status: { message: 'not that one' } } };
    const patch = [{ op: 'add', path: '/container', value: 'second' }];
    if (name !== '"two"') return { response: { allowed: true } };
    return {
      response: { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') },
    };
  });
  await admin.send('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    body: {
      metadata: { name: 'connections' },
      webhooks: [
        {
          name: 'connections.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['*/*'] }],
          clientConfig: { url: hooks.url, caBundle: hooks.caBundle },
        },
      ],
    },
  });
  await sleep(settleMs);
  const admitted: ProxyResult[] = [];
  for (const each of admittedCases) admitted.push(await player.ask(each));
  const reviews = hooks.received.map(({ review: { request: asked } }) => {
    const { uid: _, userInfo: __, ...told } = asked;
    return player.normalized(told);
  });
  return { admitted, reviews };
}

async function prepare(admin: ApiClient, kubelet: Kubelet, address: string): Promise<void> {
  const make = async (path: string, body: object): Promise<void> => {
    const { code, body: answer } = await admin.send('POST', path, { body });
    if (code !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  await make('/api/v1/namespaces', { metadata: { name: 'streams' } });
  const endpoint = (Port: number): object => ({ daemonEndpoints: { kubeletEndpoint: { Port } } });
  const at = (host: string): object => ({
    addresses: [{ type: 'InternalIP', address: host }],
    ...endpoint(kubelet.port),
  });
  const nodes = {
    loop: at('127.0.0.1'),
    addr: at(address),
    link: at('169.254.1.1'),
    dead: { ...at('127.0.0.1'), ...endpoint(1) },
    named: { addresses: [{ type: 'Hostname', address: 'no-such-host.invalid' }] },
    addressless: {
      addresses: [
        { type: 'Odd', address: 'a' },
        { type: 'Other', address: 'b' },
      ],
    },
  };
  for (const [name, status] of Object.entries(nodes)) await make('/api/v1/nodes', { metadata: { name }, status });
  const main = { name: 'main', image: 'none', ports: [{ containerPort: kubelet.port }] };
  const second = { name: 'second', image: 'none' };
  const plain = ['missing', 'bad', 'broken', 'denied', 'unauthorized', 'teapot', 'busy', 'moved', 'odd', 'gone', 'cut'];
  const streaming = ['one', 'exits', 'fails', 'old', 'garbled', 'unknown', 'silent', 'other'];
  const loop = { nodeName: 'loop', containers: [main] };
  const specs: { readonly [name: string]: object } = {
    ...Object.fromEntries([...plain, ...streaming].map((name) => [name, loop])),
    two: { nodeName: 'loop', containers: [main, second] },
    init: { nodeName: 'loop', containers: [main, second], initContainers: [{ name: 'first', image: 'none' }] },
    pending: { containers: [main] },
    lost: { nodeName: 'nobody', containers: [main] },
    dead: { nodeName: 'dead', containers: [main] },
    addressless: { nodeName: 'addressless', containers: [main] },
    loop,
    local: loop,
    bare: loop,
  };
  const ips: { readonly [name: string]: string } = {
    one: address,
    other: address,
    local: '127.0.0.1',
    loop: '169.254.0.5',
  };
  for (const [name, spec] of Object.entries(specs)) {
    await make('/api/v1/namespaces/streams/pods', { metadata: { name }, spec });
    const ip = ips[name];
    if (ip === undefined) continue;
    const status = { podIP: ip, podIPs: [{ ip }] };
    const path = `/api/v1/namespaces/streams/pods/${name}/status`;
    await admin.send('PATCH', path, { body: { status }, contentType: 'application/merge-patch+json' });
  }
  await prepareServices(make, kubelet.port, address);
}

async function prepareServices(
  make: (path: string, body: object) => Promise<void>,
  port: number,
  address: string,
): Promise<void> {
  const target = (name: string, namespace = 'streams'): object => ({ targetRef: { kind: 'Pod', name, namespace } });
  const good = { addresses: [address], ...target('one') };
  const web = { name: 'web', port };
  const slices: { readonly [service: string]: { readonly ports: object[]; readonly endpoints: object[] } } = {
    web: { ports: [web, { name: 'none' }], endpoints: [{ addresses: [address] }, good] },
    unnamed: { ports: [{ port }], endpoints: [good] },
    unready: { ports: [web], endpoints: [{ ...good, conditions: { ready: false } }] },
    foreign: { ports: [web], endpoints: [{ addresses: [address], ...target('one', 'default') }] },
    faked: { ports: [web], endpoints: [{ addresses: ['192.0.2.77'], ...target('one') }] },
    portless: { ports: [{ name: 'web' }], endpoints: [good] },
  };
  for (const [name, slice] of Object.entries(slices)) {
    const ports =
      name === 'unnamed'
        ? [{ port: 443 }]
        : [
            { name: 'web', port: 443 },
            { name: 'none', port: 444 },
          ];
    await make('/api/v1/namespaces/streams/services', { metadata: { name }, spec: { ports } });
    await make('/apis/discovery.k8s.io/v1/namespaces/streams/endpointslices', {
      metadata: { name, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      ...slice,
    });
  }
}

/** Headers that are irrelevant, or differ between libraries. */
const noise: ReadonlySet<string> = new Set([
  'date',
  'audit-id',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'user-agent',
  'accept-encoding',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
  'sec-websocket-key',
  'sec-websocket-extensions',
  'sec-websocket-version',
]);

class Player {
  readonly #server: Played;
  readonly #kubelet: Kubelet;
  readonly #address: string;
  readonly #tls: Awaited<ReturnType<typeof adminTls>>;

  constructor(server: Played, kubelet: Kubelet, address: string, tls: Awaited<ReturnType<typeof adminTls>>) {
    this.#server = server;
    this.#kubelet = kubelet;
    this.#address = address;
    this.#tls = tls;
  }

  async ask({ name, method = 'GET', path, headers = {}, body }: ProxyCase): Promise<ProxyResult> {
    this.#kubelet.received.length = 0;
    const { promise, resolve } = Promise.withResolvers<Omit<ProxyResult, 'name' | 'received'>>();
    const { host, hostname, port } = new URL(this.#server.url);
    const sent = request({
      host: hostname,
      port,
      method,
      path: this.#placed(path),
      agent: false,
      ...this.#tls,
      headers: { ...headers, host, ...(body === undefined ? {} : { 'content-length': String(body.length) }) },
    });
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      text(answer).then(
        (heard) => resolve({ status, headers: this.#headers(answer.headers), body: this.#body(heard) }),
        () => resolve({ status, headers: {}, body: 'cut off' }),
      );
    });
    sent.once('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: this.#headers(answer.headers), body: '' });
    });
    sent.once('error', () => resolve({ status: 0, headers: {}, body: 'no answer' }));
    sent.setTimeout(limitMs, () => sent.destroy(new Error(`no answer: ${name}`)));
    sent.end(body);
    return { name, ...(await promise), received: this.#received() };
  }

  async connect(each: SocketCase): Promise<SocketResult> {
    const { name, path, protocols, sends = [] } = each;
    this.#kubelet.received.length = 0;
    if (protocols[0]?.includes('/') === true) return this.#tunnel(each);
    const { host } = new URL(this.#server.url);
    const origin = this.#server.url;
    const socket = new WebSocket(`wss://${host}${this.#placed(path)}`, [...protocols], { ...this.#tls, origin });
    const messages: string[] = [];
    const { promise, resolve } = Promise.withResolvers<Omit<SocketResult, 'name' | 'received'>>();
    socket.once('unexpected-response', (_request, answer) => {
      const status = answer.statusCode ?? 0;
      text(answer).then(
        (heard) => resolve({ status, body: JSON.stringify(this.#body(heard)) }),
        () => resolve({ status }),
      );
    });
    socket.on('error', () => resolve({ messages: ['failed'] }));
    const end = (): void =>
      resolve({ protocol: socket.protocol, messages: gathered(messages.map((each) => this.#named(each))) });
    // What does not end by itself is cut off, once something has come.
    const endsItself = protocols[0]?.startsWith('v5') === true;
    socket.on('message', (data: Buffer, isBinary) => {
      messages.push(`${isBinary ? '' : 'text:'}${data.toString('latin1')}`);
      if (messages.length === 1 && !endsItself) setTimeout(() => socket.terminate(), quietMs);
    });
    socket.once('close', end);
    socket.once('open', () => {
      for (const each of sends) socket.send(Buffer.from(each, 'latin1'));
    });
    const limit = setTimeout(() => resolve({ messages: [...messages, 'no end'] }), limitMs);
    const result = await promise;
    clearTimeout(limit);
    socket.terminate();
    return { name, ...result, received: this.#received() };
  }

  /** By hand, since the library takes no protocol with a slash in its name. */
  async #tunnel({ name, path, protocols, sends = [] }: SocketCase): Promise<SocketResult> {
    const { promise, resolve } = Promise.withResolvers<Omit<SocketResult, 'name' | 'received'>>();
    const { host, hostname, port } = new URL(this.#server.url);
    const sent = request({
      host: hostname,
      port,
      path: this.#placed(path),
      agent: false,
      ...this.#tls,
      headers: {
        host,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': protocols.join(', '),
      },
    });
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      text(answer).then(
        (heard) => resolve({ status, body: JSON.stringify(this.#body(heard)) }),
        () => resolve({ status }),
      );
    });
    sent.once('upgrade', (answer, socket, head) => {
      const chunks: Buffer[] = [head];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      // Short messages, masked with zeros (RFC 6455 section 5.2).
      for (const each of sends) socket.write(Buffer.from([0x82, 0x80 | each.length, 0, 0, 0, 0, ...Buffer.from(each)]));
      const end = (): void => {
        socket.destroy();
        const messages = [Buffer.concat(chunks).toString('latin1')];
        resolve({ protocol: String(answer.headers['sec-websocket-protocol']), messages });
      };
      socket.once('data', () => setTimeout(end, quietMs));
      socket.once('close', end);
    });
    sent.once('error', () => resolve({ status: 0 }));
    sent.end();
    return { name, ...(await promise), received: this.#received() };
  }

  normalized(value: unknown): unknown {
    return JSON.parse(this.#named(JSON.stringify(value)));
  }

  #placed(path: string): string {
    return path.replaceAll('PORT', String(this.#kubelet.port));
  }

  #received(): string[] {
    return this.#kubelet.received.map(({ request: asked, headers }) => {
      const lines = Object.entries(this.#headers(headers)).map(([name, value]) => `${name}: ${String(value)}`);
      return [this.#named(asked), ...lines].join('\n');
    });
  }

  #headers(headers: NodeJS.Dict<string | string[]>): { [name: string]: unknown } {
    const kept = Object.entries(headers).filter(([name]) => !noise.has(name));
    return Object.fromEntries(
      kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, this.#named(String(value))]),
    );
  }

  #body(heard: string): unknown {
    const named = this.#named(heard);
    try {
      const value = JSON.parse(named) as { headers?: NodeJS.Dict<string | string[]> };
      return value.headers === undefined ? value : { ...value, headers: this.#headers(value.headers) };
    } catch {
      return named;
    }
  }

  #named(heard: string): string {
    return heard
      .replaceAll(new URL(this.#server.url).host, 'SERVER')
      .replaceAll(this.#address, 'ADDR')
      .replaceAll(String(this.#kubelet.port), 'PORT')
      .replaceAll(/lookup ([\w.-]+) on \S+: /g, 'lookup $1: ');
  }
}

/**
 * Neighbouring messages of a channel are one: how output is cut into messages is a matter of timing. Channels apart.
 */
function gathered(messages: readonly string[]): string[] {
  const channels = new Map<string, string>();
  for (const message of messages) {
    const channel = message.slice(0, 1);
    channels.set(channel, `${channels.get(channel) ?? channel}${message.slice(1)}`);
  }
  return [...channels.values()].toSorted();
}
