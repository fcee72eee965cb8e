import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthCheck } from '../http/health.ts';
import type { Store } from './open-store.ts';

/** Where the server is between start and stop, as its health endpoints tell it. */
export class Lifecycle {
  readonly #store: Pick<Store, 'check' | 'checkReady'>;
  #started = false;
  #stopping = false;

  constructor(store: Pick<Store, 'check' | 'checkReady'>) {
    this.#store = store;
  }

  started(): void {
    this.#started = true;
  }

  stopping(): void {
    this.#stopping = true;
  }

  /** The time that load balancers get to notice. */
  async delay(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms);
  }

  /** Checks by endpoint; names are the reference's where the thing exists here. */
  checks(endpoint: 'healthz' | 'livez' | 'readyz'): readonly HealthCheck[] {
    const always: HealthCheck[] = [
      { name: 'ping', check: () => undefined },
      { name: 'log', check: () => undefined },
      { name: 'etcd', check: () => this.#store.check() },
      {
        name: 'poststarthook/start-system-namespaces-controller',
        check: () => failUnless(this.#started, 'not started yet'),
      },
    ];
    if (endpoint !== 'readyz') return always;
    return [
      ...always.slice(0, 3),
      { name: 'etcd-readiness', check: () => this.#store.checkReady() },
      ...always.slice(3),
      { name: 'shutdown', check: () => failUnless(!this.#stopping, 'process is shutting down') },
    ];
  }
}

function failUnless(condition: boolean, why: string): void {
  if (!condition) throw new Error(why);
}
