import type { MessagePort } from 'node:worker_threads';
import { errorOf, type PlainError, plainError } from '../../storage/ports/plain-error.ts';

/** Functions that another thread may call; arguments and results are cloned. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

/** The end of a channel: a MessagePort, a Worker, or the `parentPort` of one. */
export interface ChannelEnd {
  postMessage(message: unknown, transferred: MessagePort[]): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
}

type Message =
  /** Without an id, nobody waits for the result. */
  | { readonly type: 'call'; readonly id?: number; readonly name: string; readonly argument: unknown }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: PlainError };

type Argument<Remote, Name extends keyof Remote> = Remote[Name] extends (argument: infer A) => unknown ? A : never;
type Result<Remote, Name extends keyof Remote> = Remote[Name] extends (argument: never) => infer R ? Awaited<R> : never;

/** Calls between two threads; `Remote` are the functions of the other one. Calls arrive in the order they were made. */
export class CallPort<Remote> {
  readonly #end: ChannelEnd;
  readonly #calls: Calls;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #closed: Error | undefined;

  /** `onError` gets what calls threw whose callers do not wait for them. */
  constructor(end: ChannelEnd, calls: Calls, onError: (error: unknown) => void) {
    this.#end = end;
    this.#calls = calls;
    this.#onError = onError;
    end.on('message', (message) => this.#receive(message));
  }

  /** Rejects with what the function throws, as an Error with the same message, or when the other thread has ended. */
  call<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote, Name>,
  ): Promise<Result<Remote, Name>> {
    const pending = Promise.withResolvers<unknown>();
    if (this.#closed === undefined) {
      const id = ++this.#lastId;
      this.#waiting.set(id, pending);
      this.#end.postMessage({ type: 'call', id, name, argument } satisfies Message, []);
    } else pending.reject(this.#closed);
    return pending.promise as Promise<Result<Remote, Name>>; // what the function of that name has returned
  }

  /** Calls without waiting for the result. `transferred`: ports in the argument, which are the other thread's then. */
  tell<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote, Name>,
    transferred: MessagePort[] = [],
  ): void {
    if (this.#closed === undefined)
      this.#end.postMessage({ type: 'call', name, argument } satisfies Message, transferred);
  }

  /** The other thread has ended: calls that wait are rejected, and later ones. */
  close(error: Error): void {
    this.#closed = error;
    for (const pending of this.#waiting.values()) pending.reject(error);
    this.#waiting.clear();
  }

  #receive(message: Message): void {
    if (message.type === 'call') return void this.#serve(message);
    const pending = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'error') pending?.reject(errorOf(message.error));
    else pending?.resolve(message.result);
  }

  async #serve({ id, name, argument }: Message & { readonly type: 'call' }): Promise<void> {
    try {
      const run = this.#calls[name];
      if (run === undefined) throw new Error(`a thread has no function ${name}`);
      const result = await run(argument as never); // of the type that the function declares: `call` has checked it
      if (id !== undefined) this.#end.postMessage({ type: 'result', id, result } satisfies Message, []);
    } catch (error) {
      if (id === undefined) this.#onError(error);
      else this.#end.postMessage({ type: 'error', id, error: plainError(error) } satisfies Message, []);
    }
  }
}
