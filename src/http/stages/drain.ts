import { serviceUnavailable } from '../../api/errors/status-errors.ts';
import { statusObject } from '../../api/errors/status.ts';
import { PlainFailure } from '../responses/plain-failure.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';
import type { Exchange } from '../transport/exchange.ts';

export interface DrainOptions {
  /** Refused requests are told to come again later, rather than to try another server at once. */
  readonly sendsRetryAfter: boolean;
  /** The server waits for its watches to end, so that no more may begin. */
  readonly endsWatches: boolean;
}

/** Probes and scrapers are answered until the end, and so are other API servers. */
const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'];
const exemptAgents = 'kube-apiserver/';

/** Counts the requests that do not last, so that a server that stops can wait for them, and then refuses more. */
export class RequestDrain {
  readonly #options: DrainOptions;
  #running = 0;
  #isRefusing = false;
  #drained: (() => void) | undefined;

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  /** From now on further requests are refused. */
  refuse(): void {
    this.#isRefusing = true;
  }

  /** Resolves once no request runs that was to end. */
  drained(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    return promise;
  }

  get stage(): Stage {
    return {
      name: 'drain',
      run: (context) => {
        if (!context.isLongRunning) this.#running += 1;
        if (this.#isRefusing) this.#refuse(context);
      },
      end: (context) => this.#end(context),
      passedOn: (context) => context.exchange.onClose(() => this.#end(context)),
    };
  }

  #end(context: RequestContext): void {
    if (context.isLongRunning) return;
    this.#running -= 1;
    if (this.#running === 0) this.#drained?.();
  }

  #refuse(context: RequestContext): void {
    const { sendsRetryAfter, endsWatches } = this.#options;
    const isExempt = exempts(context);
    if (!isExempt && sendsRetryAfter) throw comeAgain(context.exchange);
    // On a connection that has been told to end, or from a server that watches.
    if (endsWatches && isWatch(context)) throw shuttingDown();
    if (!isExempt && !context.isLongRunning) throw shuttingDown();
  }
}

function exempts({ exchange, path: requestPath }: RequestContext): boolean {
  if (exchange.header('user-agent')?.startsWith(exemptAgents) === true) return true;
  return exemptPaths.some((path) => requestPath.startsWith(path));
}

function isWatch({ info: { verb } }: RequestContext): boolean {
  return verb === 'watch' || verb === 'watchlist';
}

const retryAfterSeconds = 5;

/** The last response of its connection. */
function comeAgain(exchange: Exchange): PlainFailure {
  exchange.endConnection?.();
  const headers = {
    'retry-after': String(retryAfterSeconds),
    ...(exchange.httpVersion === '1.1' ? { connection: 'close' } : {}),
  };
  const message = 'The apiserver is shutting down, please try again later.';
  return new PlainFailure(429, message, headers, { isBare: true });
}

/** A Status as text: what the client accepts is not known yet. */
function shuttingDown(): PlainFailure {
  const { status } = serviceUnavailable('apiserver is shutting down');
  const headers = { 'retry-after': '1', 'content-type': 'application/json' };
  return new PlainFailure(503, `${JSON.stringify(statusObject(status))}\n`, headers);
}
