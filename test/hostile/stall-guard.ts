import { createHook, AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import { Server } from 'node:tls';
import { isMainThread } from 'node:worker_threads';
import { StackSampler } from './stack-sampler.ts';

/**
 * Preloaded into a server (`--import`): reports what blocked its event loop, and which request. A timer that should
 * fire every few milliseconds measures the stalls; each callback's time is attributed to the request in whose
 * asynchronous context it ran, and the largest one is blamed.
 *
 * One line of JSON per stall is appended to `BINNACLE_STALL_GUARD=FILE`. With `BINNACLE_STALL_STACKS=1` lines include
 * the most expensive functions.
 */
export interface Stall {
  /** `POST /api/v1/namespaces/default/pods`; empty if no request was being processed. */
  readonly request: string;
  /** How long the event loop was blocked. */
  readonly wallMs: number;
  /** CPU time of the thread during the stall: on a busy machine much of a stall may be waiting for a core. */
  readonly cpuMs: number;
  /** Innermost functions and their times, the longest first. */
  readonly functions?: readonly string[];
}

const beatMs = 5;
const thresholdMs = Number(process.env['BINNACLE_STALL_MS'] ?? 20);

class StallGuard {
  readonly #requests = new AsyncLocalStorage<string>();
  readonly #sampler = process.env['BINNACLE_STALL_STACKS'] === '1' ? new StackSampler() : undefined;
  readonly #path: string;
  #charges = new Map<string, number>();
  #current = '';
  #sinceMs = performance.now();
  #beatAtMs = performance.now();
  #cpuMicros = threadCpuMicros();

  constructor(path: string) {
    this.#path = path;
  }

  start(): void {
    this.#followRequests();
    createHook({ before: () => this.#enter(this.#requests.getStore() ?? '') }).enable();
    setInterval(() => this.#beat(), beatMs).unref();
  }

  /** Runs everything a request triggers in an asynchronous context that identifies it. */
  #followRequests(): void {
    this.#follow(Server.prototype, (event, [session]) => {
      // Streams are events of the session first, and that is where Binnacle listens.
      if (event === 'session') this.#follow(session as EventEmitter);
    });
  }

  #follow(emitter: EventEmitter, seen?: (event: string, args: readonly unknown[]) => void): void {
    const requests = this.#requests;
    const enter = (request: string): string => this.#enter(request);
    // Rebound to the emitter on each call.
    // oxlint-disable-next-line typescript/unbound-method
    const { emit } = emitter;
    emitter.emit = function emitInContext(this: EventEmitter, event: string, ...args: unknown[]): boolean {
      seen?.(event, args);
      const request = nameOf(event, args);
      const pass = (): boolean => Reflect.apply(emit, this, [event, ...args]) as boolean;
      if (request === undefined) return pass();
      // Handlers begin at once, in the callback of the connection.
      const outer = enter(request);
      try {
        return requests.run(request, pass);
      } finally {
        enter(outer);
      }
    } as typeof emit;
  }

  /** Returns the request to which time was charged until now. */
  #enter(request: string): string {
    const outer = this.#current;
    if (request === outer) return outer;
    const now = performance.now();
    this.#charges.set(outer, (this.#charges.get(outer) ?? 0) + now - this.#sinceMs);
    this.#current = request;
    this.#sinceMs = now;
    return outer;
  }

  #beat(): void {
    this.#enter(this.#current === '' ? ' ' : '');
    const now = performance.now();
    const cpuMicros = threadCpuMicros();
    const wallMs = now - this.#beatAtMs - beatMs;
    if (wallMs > thresholdMs) {
      const functions = this.#sampler?.take(wallMs + beatMs);
      const cpuMs = Math.min(wallMs, (cpuMicros - this.#cpuMicros) / 1000);
      this.#report({ request: this.#blamed(), wallMs, cpuMs, ...(functions === undefined ? {} : { functions }) });
    }
    this.#charges = new Map();
    this.#beatAtMs = performance.now();
    this.#cpuMicros = threadCpuMicros();
  }

  #blamed(): string {
    const byRequest = [...this.#charges].filter(([request]) => request.trim() !== '');
    return byRequest.sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
  }

  #report(stall: Stall): void {
    appendFileSync(this.#path, `${JSON.stringify(stall, rounded)}\n`);
  }
}

/** Undefined for events other than the start of a request. */
function nameOf(event: string, args: readonly unknown[]): string | undefined {
  if (event === 'stream') {
    const headers = args[1] as { readonly ':method'?: string; readonly ':path'?: string }; // as documented by node
    return describe(headers[':method'], headers[':path']);
  }
  if (event !== 'request' && event !== 'upgrade') return undefined;
  const request = args[0] as { readonly method?: string; readonly url?: string }; // an IncomingMessage
  return describe(request.method, request.url);
}

function describe(method = '', target = ''): string {
  return `${method} ${target.length > 120 ? `${target.slice(0, 117)}...` : target}`;
}

function threadCpuMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value) : value;
}

const path = process.env['BINNACLE_STALL_GUARD'];
// Others do not wait for the threads of large requests.
if (isMainThread && path !== undefined && path !== '') new StallGuard(path).start();
