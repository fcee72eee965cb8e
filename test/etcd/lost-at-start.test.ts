import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnBinnacle } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';

/** A way to an etcd that ends for good after so many packets of the server. */
class EndingLink implements AsyncDisposable {
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  readonly #etcdPort: number;
  readonly #ended = Promise.withResolvers<void>();
  #left: number;
  packets = 0;

  private constructor(listener: Server, etcdUrl: string, packets: number) {
    this.#listener = listener;
    this.#etcdPort = Number(new URL(etcdUrl).port);
    this.#left = packets;
    listener.on('connection', (socket) => this.#join(socket));
  }

  static async open(etcdUrl: string, packets = Infinity): Promise<EndingLink> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new EndingLink(listener, etcdUrl, packets);
  }

  get url(): string {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server without a port');
    return `http://127.0.0.1:${address.port}`;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Resolves when nothing has been sent for a while. */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.packets; await sleep(500)) before = this.packets;
  }

  #join(client: Socket): void {
    const etcd = connect(this.#etcdPort, '127.0.0.1');
    for (const [from, to] of [
      [client, etcd],
      [etcd, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    etcd.on('data', (data) => client.write(data));
    client.on('data', (data) => {
      this.packets += 1;
      this.#left -= 1;
      if (this.#left > 0) etcd.write(data);
      else this.#end();
    });
    if (this.#left <= 0) this.#end();
  }

  #end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#ended.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    this.#end();
    await closed;
  }
}

describeWithEtcd('a server that loses its etcd while it starts', () => {
  let root: string;
  let etcd: EtcdProcess;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'binnacle-lost-'));
    etcd = await EtcdProcess.start();
  });
  afterAll(async () => {
    await etcd[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  });

  /** Starts a server, which is asked to stop when its etcd is lost, or when it has started. */
  async function startAndStop(name: string, link: EndingLink): Promise<number | null> {
    const address = ['--bind-address=127.0.0.1', `--secure-port=${await freePort()}`];
    // Each its own objects, so that all starts have the same work.
    const store = [`--etcd-servers=${link.url}`, `--etcd-prefix=/${name}`];
    const server = spawnBinnacle(['serve', '--data-dir', join(root, name), ...address, ...store]);
    const exited = once(server, 'exit');
    void text(server.stderr);
    const { promise: served, resolve } = Promise.withResolvers<void>();
    server.stdout.on('data', () => resolve());
    // A whole start goes on for a while after that.
    await Promise.race([link.ended, served.then(() => link.quiet())]);
    server.kill('SIGTERM');
    const [code] = await exited;
    return code as number | null;
  }

  test('ends when it is asked to, whatever it is doing', { timeout: 120_000 }, async () => {
    await using whole = await EndingLink.open(etcd.url);
    expect(await startAndStop('whole', whole)).toBe(0);
    expect(whole.packets).toBeGreaterThan(20);
    const shares = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8];
    const codes = await Promise.all(
      shares.map(async (share) => {
        await using link = await EndingLink.open(etcd.url, Math.ceil(share * whole.packets));
        return await startAndStop(`share-${share}`, link);
      }),
    );
    // Some had failed to start by then.
    for (const code of codes) expect([0, 1]).toContain(code);
  });
});

/** Why a port cannot be connected to. */
async function refusal(port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect(port, '127.0.0.1', () => resolve(undefined));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  const code = await promise;
  socket.destroy();
  return code;
}

describeWithEtcd('a server that starts before its etcd', () => {
  /** How it ended, or `serves`. */
  async function outcome({
    url,
    port,
  }: {
    readonly url: string;
    readonly port: number;
  }): Promise<{ readonly code: number | null | 'serves'; readonly lastLine: string }> {
    const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-early-'));
    const flags = [`--etcd-servers=${url}`, '--storage-initialization-timeout=1s', '--bind-address=127.0.0.1'];
    const server = spawnBinnacle(['serve', '--data-dir', dataDir, `--secure-port=${port}`, ...flags]);
    const exited = once(server, 'exit').then(([code]) => code as number | null);
    const log = text(server.stderr);
    const served = once(server.stdout, 'data').then(() => 'serves' as const);
    const code = await Promise.race([exited, served]);
    server.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true });
    return { code, lastLine: (await log).trim().split('\n').at(-1) ?? '' };
  }

  // As kube-apiserver: after 20 seconds, whatever --storage-initialization-timeout says.
  test('waits for it for a while, then ends with 1 and the reason', { timeout: 90_000 }, async () => {
    await using hanging = await EtcdProcess.start();
    await hanging.pause();
    await using late = await EtcdProcess.start();
    await late.kill();
    const absent = `http://127.0.0.1:${await freePort()}`;
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const outcomes = [absent, hanging.url, late.url].map((url, index) => outcome({ url, port: ports[index] ?? 0 }));
    // Longer than the flag.
    await sleep(3_000);
    // Probes and balancers need not wait to know that it does not serve yet.
    expect(await Promise.all(ports.map(refusal))).toEqual(ports.map(() => 'ECONNREFUSED'));
    await late.run();
    expect(await Promise.all(outcomes)).toEqual([
      { code: 1, lastLine: expect.stringMatching(`^binnacle: etcd cannot be reached \\(${absent}: `) as string },
      { code: 1, lastLine: expect.stringMatching(`^binnacle: etcd cannot be reached \\(${hanging.url}: `) as string },
      { code: 'serves', lastLine: '' },
    ]);
  });
});
