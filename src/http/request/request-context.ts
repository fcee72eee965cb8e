import { randomUUID } from 'node:crypto';
import { badRequest } from '../../api/status-errors.ts';
import type { Clock } from '../../api/clock.ts';
import { anonymousUser, type UserInfo } from '../../api/user.ts';
import type { BodyBudget, BodyShare } from '../transport/body-budget.ts';
import { type Compression, takesGzip } from '../transport/compression.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { WireForms } from '../negotiation/wire-forms.ts';
import { parseQuery } from './query.ts';
import type { RequestInfo } from './request-info.ts';
import { isLongRunning, type Verb, type Verbs } from './verb.ts';
import type { KindRegistry } from '../../operations/kinds.ts';
import type { WorkGate } from './work-gate.ts';

/** Bytes of a request body, as the reference has it. */
const maxBodyBytes = 3 * 1024 * 1024;

/** What all requests of a server share. */
export interface RequestServices {
  readonly clock: Clock;
  readonly verbs: Verbs;
  /** What is served at this moment. */
  kinds(): KindRegistry;
  readonly compression: Compression;
  readonly wireForms: WireForms;
  readonly workGate: WorkGate;
  readonly bodies: BodyBudget;
  /** Value of the header Strict-Transport-Security; empty: there is none. */
  readonly transportSecurity: string;
}

/** Everything the stages of the pipeline learn about one request. Each stage writes what it is named after. */
export class RequestContext {
  readonly exchange: Exchange;
  readonly receivedMs: number;
  /** What was served when the request came: it ends on what it began with. */
  readonly kinds: KindRegistry;
  user: UserInfo = anonymousUser;
  /** Texts of Warning headers, without repeats. */
  readonly warnings = new Set<string>();
  /** Milliseconds since the epoch after which the answer is a timeout; watches have none. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** The status of the answer, once it has one; 0 for clients that left before. */
  responseCode = 0;
  /** What a stage threw, a refusal or a bug. */
  failure: unknown;
  /** Names the request in logs; the client may choose it. */
  readonly auditId: string;
  readonly #services: RequestServices;
  #info: RequestInfo | undefined;
  #query: URLSearchParams | undefined;
  #endWork: (() => void) | undefined;
  #share: BodyShare | undefined;

  constructor(exchange: Exchange, services: RequestServices) {
    this.exchange = exchange;
    this.receivedMs = services.clock.now();
    this.auditId = exchange.header('audit-id') ?? randomUUID();
    this.kinds = services.kinds();
    this.#services = services;
  }

  /** Most requests for one object have none, and many stages do not ask. */
  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.exchange.query);
    return this.#query;
  }

  /** Headers of every answer, whatever it is. */
  get commonHeaders(): { readonly [name: string]: string } {
    const { transportSecurity } = this.#services;
    const common = { 'cache-control': 'no-cache, private', 'audit-id': this.auditId };
    return transportSecurity === '' ? common : { ...common, 'strict-transport-security': transportSecurity };
  }

  /** The one clock of the server. */
  get clock(): Clock {
    return this.#services.clock;
  }

  /** What is known of the verb; undefined for methods that mean none, and for paths of no resource. */
  get verb(): Verb | undefined {
    const { isResourceRequest, verb } = this.info;
    return isResourceRequest ? this.#services.verbs.get(verb) : undefined;
  }

  /** Whether the answer may go on for as long as the client wants. */
  get isLongRunning(): boolean {
    return this.info.isResourceRequest && isLongRunning(this.verb, this.info.subresource);
  }

  /** How the request ended; read when it has. */
  outcome(): Outcome {
    return {
      code: this.responseCode,
      isLongRunning: this.hasInfo && this.isLongRunning,
      isHijacked: this.exchange.isHijacked,
      failure: this.failure,
      durationMs: this.clock.now() - this.receivedMs,
    };
  }

  get wireForms(): WireForms {
    return this.#services.wireForms;
  }

  /**
   * The whole body, once it may be worked on. It counts among those of all requests until this one has ended. Rejects with a StatusError.
   */
  async readBody(): Promise<Buffer> {
    const { exchange } = this;
    this.#share ??= this.#services.bodies.share();
    const remainingMs = this.deadlineMs - this.clock.now();
    const bytes = await exchange.readBody({ limitBytes: maxBodyBytes, remainingMs, share: this.#share });
    const entered = this.#services.workGate.enter(bytes.length);
    if (entered === undefined) return bytes;
    this.#endWork = await entered;
    if (exchange.closed) throw badRequest('the client has gone before the request was worked on');
    return bytes;
  }

  /** The body and what became of it are needed no more. */
  endWork(): void {
    this.#endWork?.();
  }

  /** Nothing is done for the request any more. */
  end(): void {
    this.endWork();
    this.#share?.release();
  }

  /** Whether an answer of this sort is sent compressed to this client. */
  compresses(what: keyof Compression): boolean {
    return this.#services.compression[what] && takesGzip(this.exchange.header('accept-encoding'));
  }

  /** Whether the path has been understood. */
  get hasInfo(): boolean {
    return this.#info !== undefined;
  }

  get info(): RequestInfo {
    if (this.#info === undefined) throw new Error('request info is read before its stage has run');
    return this.#info;
  }

  set info(info: RequestInfo) {
    this.#info = info;
  }
}

/** How a request ended. */
export interface Outcome {
  /** The status of the answer; 0 for clients that left before there was one. */
  readonly code: number;
  readonly isLongRunning: boolean;
  /** The connection has left HTTP: it became a WebSocket. */
  readonly isHijacked: boolean;
  /** What a stage threw, a refusal or a bug. */
  readonly failure: unknown;
  readonly durationMs: number;
}

/** One step of the pipeline. To refuse a request a stage throws a StatusError. */
export interface Stage {
  readonly name: string;
  run(context: RequestContext): void | Promise<void>;
  /** Called once when the head of the answer goes out, `context.responseCode` being its status; never where the client left before. */
  started?(context: RequestContext): void;
  /** Called once for each request that the stage was given, after its answer; what began last ends first. */
  end?(context: RequestContext, outcome: Outcome): void;
}
