import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads';
import { expect } from 'vitest';
import { systemClock } from '../../../api/time/clock.ts';
import { type Certificates, openCertificateStore } from '../../../authentication/pki/certificate-store.ts';
import type { TakesUpgrades } from '../../transport/http1-server.ts';
import { Listener } from '../../transport/listener.ts';
import { ExchangeSender } from '../exchange-sender.ts';
import { answers } from './answers.ts';

/** How clients reach a server of a test, also with a certificate. */
export interface Target {
  readonly port: number;
  readonly tls: { readonly ca: string; readonly cert?: string; readonly key?: string };
}

export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  readonly allowHTTP1: true;
  readonly requestCert: true;
  readonly rejectUnauthorized: false;
}

/** Another thread that serves requests, and what it has told. */
export class ServingThread implements AsyncDisposable {
  readonly told: string[] = [];
  readonly worker: Worker;
  readonly sender: ExchangeSender;

  constructor(options: WorkerOptions = {}) {
    const { port1, port2 } = new MessageChannel();
    this.worker = new Worker(new URL('./serving-thread.ts', import.meta.url), {
      ...options,
      workerData: port2,
      transferList: [port2],
    });
    this.worker.on('error', () => undefined);
    this.worker.on('message', (what: string) => this.told.push(what));
    this.sender = new ExchangeSender(port1);
  }

  /** One more thread hands over. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.worker.postMessage(port2, [port2]);
    return port1;
  }

  async tells(what: string | RegExp): Promise<void> {
    await expect.poll(() => this.told.some((told) => (typeof what === 'string' ? told === what : what.test(told)))).toBe(true); // prettier-ignore
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sender.close();
    await this.worker.terminate();
  }
}

/** Two servers that are alike: one serves its requests itself, the other hands them over. */
export class TwoWays implements AsyncDisposable {
  readonly thread: ServingThread;
  readonly direct: Target;
  readonly handed: Target;
  readonly tls: ServerTls;
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: Pick<TwoWays, 'thread' | 'direct' | 'handed' | 'tls'>, opened: AsyncDisposableStack) {
    this.thread = parts.thread;
    this.direct = parts.direct;
    this.handed = parts.handed;
    this.tls = parts.tls;
    this.#opened = opened;
  }

  static async start(options: WorkerOptions = {}): Promise<TwoWays> {
    const opened = new AsyncDisposableStack();
    const pki = await (certificates ??= makeCertificates());
    const tls = {
      cert: pki.server.certificate,
      key: pki.server.key,
      ca: pki.authority,
      ...({
        allowHTTP1: true,
        requestCert: true,
        rejectUnauthorized: false,
      } as const),
    };
    const thread = opened.use(new ServingThread(options));
    const client = { ca: pki.authority, cert: pki.admin.certificate, key: pki.admin.key };
    const listen = async (handle: ConstructorParameters<typeof Listener>[1]): Promise<Target> => {
      const listener = new Listener(tls, handle, { takesUpgrades: noUpgrades });
      opened.defer(() => listener.close(0));
      return { port: await listener.listen('127.0.0.1', 0), tls: client };
    };
    const direct = await listen(answers(() => undefined));
    const handed = await listen((exchange) => thread.sender.handOver(exchange));
    return new TwoWays({ thread, direct, handed, tls }, opened);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

const noUpgrades: TakesUpgrades = () => false;

let certificates: Promise<Certificates> | undefined;

/** Once: making them takes longer than a test. */
async function makeCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-handover-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const made = await openCertificateStore({ folder, serverNames, clock: systemClock });
  await rm(folder, { recursive: true });
  return made;
}
