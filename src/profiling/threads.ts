import { Session } from 'node:inspector';

/** A thread of this process, as its inspector sees it. */
export interface InspectedThread {
  readonly name: string;
  /** Calls a method of the inspector's protocol (chromedevtools.github.io/devtools-protocol/v8). */
  readonly post: (method: string, params?: object) => Promise<unknown>;
}

interface FromWorker {
  readonly params: { readonly sessionId: string; readonly message: string };
}

interface Attached {
  readonly params: { readonly sessionId: string; readonly workerInfo: { readonly title: string } };
}

interface Settling {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** All threads of the process: this one, and its workers through it. Leaves them on disposal. */
export class InspectedThreads implements Disposable {
  readonly #session = new Session();
  readonly #waiting = new Map<string, Settling>();
  readonly all: InspectedThread[] = [];
  #lastId = 0;

  static async open(): Promise<InspectedThreads> {
    const threads = new InspectedThreads();
    await threads.#open();
    return threads;
  }

  async #open(): Promise<void> {
    const session = this.#session;
    session.connect();
    const post = (method: string, params: object = {}): Promise<unknown> => this.#post(method, params);
    this.all.push({ name: 'main', post });
    session.on('NodeWorker.attachedToWorker', ({ params }: Attached) => this.#attach(params));
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }: FromWorker) => this.#receive(params));
    session.on('NodeWorker.detachedFromWorker', ({ params }: FromWorker) => this.#detach(params.sessionId));
    await post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }

  #post(method: string, params: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#session.post(method, params, (error, result?: unknown) => {
      if (error === null) resolve(result);
      else reject(new Error(error.message));
    });
    return promise;
  }

  #attach({ sessionId, workerInfo: { title } }: Attached['params']): void {
    const name = /^\[worker \d+\] (.+)$/.exec(title)?.[1] ?? title;
    const post = (method: string, params: object = {}): Promise<unknown> => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const id = (this.#lastId += 1);
      this.#waiting.set(`${sessionId} ${id}`, { resolve, reject });
      const message = JSON.stringify({ id, method, params });
      this.#post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject);
      return promise;
    };
    this.all.push({ name, post });
  }

  #receive({ sessionId, message }: FromWorker['params']): void {
    // What the inspector writes: an answer, or an event without a number.
    const response = JSON.parse(message) as { id?: number; result?: unknown; error?: { message: string } };
    const key = `${sessionId} ${response.id}`;
    const settling = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (response.error === undefined) settling?.resolve(response.result);
    else settling?.reject(new Error(response.error.message));
  }

  /** A thread that has ended answers nothing more. */
  #detach(sessionId: string): void {
    for (const [key, { reject }] of this.#waiting) {
      if (!key.startsWith(`${sessionId} `)) continue;
      this.#waiting.delete(key);
      reject(new Error('the thread has ended'));
    }
  }
}
