import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { writeKubeadmPki } from '../kubeadm/kubeadm-pki.ts';
import { Program } from '../program.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { startHookServer } from '../webhooks/hook-server.ts';
import { lacking } from './lacking.ts';
import { type ClientTls, http1Client, http2Client, type ProtocolClient, type Received } from './protocol-clients.ts';
import { type LackingServer, startReferenceLacking } from './reference-lacking.ts';

// What the clients of a server get while the one that it passes their requests on to is killed. Two kube-apiservers on
// one etcd were compared as well, each in a UTS namespace of its own, which gives them different identities.

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const webhooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const timeoutMs = 180_000;

const jobNamed = (name: string): object => ({
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
});

const plain = {
  status: 503,
  headers: {
    'cache-control': 'no-cache, private',
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  },
  isCutOff: false,
};
const brokenOff = { ...plain, body: 'error trying to reach service: unexpected EOF\n' };
const without = (port: number): Received => ({
  ...plain,
  body: `error trying to reach service: dial tcp 127.0.0.1:${port}: connect: connection refused\n`,
});
const withoutAddress = {
  status: 503,
  headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
  body: `${JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Error getting ip and port info of the remote server while proxying',
    reason: 'ServiceUnavailable',
    code: 503,
  })}\n`,
  isCutOff: false,
};

interface Passing {
  readonly name: string;
  readonly skip: boolean;
  start(etcdUrl: string, pki: string): Promise<LackingServer>;
}

const passing: readonly Passing[] = [
  {
    name: 'Binnacle',
    skip: false,
    start: (etcdUrl, pki) => startTestServer({}, onEtcd(etcdUrl), { config: lacking('batch/v1', 'passing', pki) }),
  },
  {
    name: 'kube-apiserver',
    skip: skipWithoutReference(),
    start: (etcdUrl, pki) => startReferenceLacking('batch/v1', etcdUrl, pki),
  },
];

/** Servers of one store: one passes requests for jobs on to the other. */
class Pair implements AsyncDisposable {
  readonly port: number;
  readonly clients: readonly ProtocolClient[];
  readonly folder: string;
  readonly #peerArguments: readonly string[];
  readonly #opened: AsyncDisposableStack;
  #peer: Program;

  private constructor(folder: string, opened: AsyncDisposableStack, parts: Pick<Pair, 'port' | 'clients'> & Peer) {
    this.folder = folder;
    this.#opened = opened;
    this.port = parts.port;
    this.clients = parts.clients;
    this.#peerArguments = parts.peerArguments;
    this.#peer = parts.peer;
  }

  static async start({ start }: Passing): Promise<Pair> {
    const opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-killed-peer-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const pki = join(folder, 'pki');
    await writeKubeadmPki(pki);
    const etcd = opened.use(await EtcdProcess.start());
    const port = await freePort();
    const peerArguments = [join(import.meta.dirname, 'killed-peer.ts'), etcd.url, pki, join(folder, 'data'), `${port}`];
    const peer = await startPeer(peerArguments, folder);
    const { url } = opened.use(await start(etcd.url, pki));
    const tls = await adminOf(pki);
    const clients = [opened.use(http1Client(url, tls)), opened.use(http2Client(url, tls))];
    return new Pair(folder, opened, { port, clients, peer, peerArguments });
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#peer[Symbol.asyncDispose]();
  }

  async startAgain(): Promise<void> {
    this.#peer = await startPeer(this.#peerArguments, this.folder);
  }

  /** Sends one request by all clients; each may have a body of its own. */
  async ask(method: string, path: string, bodyOf?: (index: number) => object): Promise<readonly Received[]> {
    return Promise.all(
      this.clients.map((client, index) =>
        client.send({ method, path, ...(bodyOf === undefined ? {} : { body: bodyOf(index) }) }),
      ),
    );
  }

  async untilAll(status: number): Promise<void> {
    const statuses = async (): Promise<readonly number[]> =>
      (await this.ask('GET', jobs).catch(() => [])).map((received) => received.status);
    await expect.poll(statuses, { timeout: 60_000, interval: 300 }).toEqual(this.clients.map(() => status));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#opened.disposeAsync();
  }
}

interface Peer {
  readonly peer: Program;
  readonly peerArguments: readonly string[];
}

async function startPeer(args: readonly string[], folder: string): Promise<Program> {
  const peer = new Program({ name: 'peer', path: process.execPath, args, folder });
  await vi.waitUntil(() => peer.lines(/^serves /).length > 0 || !peer.isRunning, { timeout: 60_000, interval: 50 });
  expect(peer.isRunning, peer.lines(/./).join('\n')).toBe(true);
  return peer;
}

async function adminOf(pki: string): Promise<ClientTls> {
  const read = (name: string): Promise<string> => readFile(join(pki, name), 'utf8');
  const [ca, cert, key] = await Promise.all([read('ca.crt'), read('admin.crt'), read('admin.key')]);
  return { ca, cert, key };
}

/** A configuration whose webhook leaves creates of jobs unanswered. */
const silencing = (url: string, caBundle: string): object => ({
  metadata: { name: 'silence' },
  webhooks: [
    {
      name: 'silence.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 30,
      clientConfig: { url, caBundle },
      rules: [{ apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'], operations: ['CREATE'] }],
    },
  ],
});

describeWithEtcd('a server that is killed while another one passes requests on to it', () => {
  describe.each(passing.filter(({ skip }) => !skip))('$name', (each) => {
    test('its clients learn it, and are served again when it is back', { timeout: timeoutMs }, async () => {
      await using pair = await Pair.start(each);
      await pair.untilAll(200);
      const [made] = await pair.ask('POST', jobs, (index) => jobNamed(`made-${index}`));
      expect(made?.status).toBe(201);
      await using hooks = await startHookServer(pair.folder, () => ({ nothing: 'silence' }));
      await pair.clients[0]?.send({ method: 'POST', path: webhooks, body: silencing(`${hooks.url}/`, hooks.caBundle) });

      let parts = 0;
      const onData = (): void => void (parts += 1);
      const watches = pair.clients.map((client) => client.send({ method: 'GET', path: `${jobs}?watch=1`, onData }));
      await vi.waitUntil(() => parts >= watches.length, { timeout: 30_000 });
      // The configuration takes effect a moment later.
      const names = { count: 0 };
      while (hooks.received.length === 0) {
        const early = pair.clients[0]?.send({ method: 'POST', path: jobs, body: jobNamed(`early-${names.count++}`) });
        await Promise.race([early?.catch(() => undefined), vi.waitUntil(() => hooks.received.length > 0)]);
      }
      const creates = pair.ask('POST', jobs, (index) => jobNamed(`waits-${index}`));
      await vi.waitUntil(() => hooks.received.length >= 3, { timeout: 30_000 });

      await pair.kill();
      expect(await creates).toEqual([brokenOff, brokenOff]);
      for (const watch of await Promise.all(watches)) {
        expect(watch).toMatchObject({ status: 200, isCutOff: true, body: expect.stringContaining('made-0') });
      }
      const refused = [without(pair.port), without(pair.port)];
      expect(await pair.ask('GET', jobs)).toEqual(refused);
      expect(await pair.ask('POST', jobs, (index) => jobNamed(`later-${index}`))).toEqual(refused);
      expect(await pair.ask('GET', `${jobs}?watch=1`)).toEqual(refused);

      // What it told of its address is forgotten; its Lease is not.
      const addressless = async (): Promise<unknown> => pair.ask('GET', jobs);
      await expect.poll(addressless, { timeout: 60_000, interval: 500 }).toEqual([withoutAddress, withoutAddress]);
      await sleep(1000);
      expect(await pair.ask('GET', jobs)).toEqual([withoutAddress, withoutAddress]);
      await pair.startAgain();
      await pair.untilAll(200);
    });
  });
});
