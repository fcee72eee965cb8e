import type { Log } from '../../api/contracts/log.ts';
import { HookResults } from '../../api/contracts/hook-results.ts';
import type { RequestPassing } from '../../api/contracts/request-passing.ts';
import type { RequestStep } from '../../api/contracts/request-step.ts';
import { randomUUID } from 'node:crypto';
import { sliceOfRound, TimeSlice } from '../../api/scheduling/time-slice.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import type { Clock } from '../../api/time/clock.ts';
import { msUntil } from '../../api/time/deadline.ts';
import type { RequestAudit } from '../../audit/request-audit.ts';
import { currentSpan, type Span } from '../../api/contracts/span.ts';
import type { SeatTicket } from '../../flowcontrol/seats.ts';
import { profilesFolder } from '../../profiling/profiles-folder.ts';
import { anonymousUser, type UserInfo } from '../../api/contracts/user.ts';
import type { BodyBudget, BodyShare } from '../transport/body-budget.ts';
import { type Compression, takesGzip } from '../transport/compression.ts';
import type { Exchange } from '../transport/exchange.ts';
import { type BodyLimits, LargeBody } from '../transport/request-body.ts';
import { largeBytes, type Lane, type Lanes, PassOn } from './lanes.ts';
import type { WireForms } from '../negotiation/wire-forms.ts';
import { decodedPath } from './decoded-path.ts';
import { parseQuery } from './query.ts';
import type { RequestInfo } from './request-info.ts';
import type { CountedAs } from './counted-as.ts';
import { isLongRunning, type Verb, type Verbs } from './verb.ts';
import type { KindRegistry } from '../../operations/kinds.ts';
import type { OpenWatches } from './open-watches.ts';
import type { LargeBodyLimit } from './large-body-limit.ts';

/** The reference's limit for request bodies. */
export const maxBodyBytes = 3 * 1024 * 1024;

/** The duration from which steps are noted. */
const leastStepMs = 1;

/** Shared by all requests of a server. */
export interface RequestServices {
  readonly clock: Clock;
  readonly log: Log;
  readonly verbs: Verbs;
  /** The kinds served at this moment. */
  kinds(): KindRegistry;
  readonly compression: Compression;
  readonly wireForms: WireForms;
  readonly largeBodies: LargeBodyLimit;
  readonly bodies: BodyBudget;
  /** Serve large requests; undefined: they are served here. */
  readonly lanes?: Lanes | undefined;
  /** Value of the Strict-Transport-Security header; empty: not sent. */
  readonly transportSecurity: string;
  readonly watches: OpenWatches;
}

/** What the stages of the pipeline learn about one request. Each stage sets the fields it is named after. */
export class RequestContext {
  readonly exchange: Exchange;
  readonly receivedMs: number;
  /** When the request was received, as `performance.now()`: the clock may be set meanwhile. */
  readonly beganMs: number = performance.now();
  /** The kinds served when the request arrived: it finishes on the same snapshot. */
  readonly kinds: KindRegistry;
  user: UserInfo = anonymousUser;
  /** Texts of Warning headers, without duplicates. */
  readonly warnings = new Set<string>();
  /** When the request times out, in milliseconds of the monotonic clock; infinite for watches. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** A stage has responded: the later ones have nothing to do. */
  isAnswered = false;
  /** Another thread serves the request: nothing more is done for it here, and nothing is counted. */
  isPassedOn = false;
  /** Headers of every response to a page of an allowed origin. */
  originHeaders: { readonly [name: string]: string } | undefined;
  /** The response is a refusal, which repeats what the client has sent: browsers must not take it for a page. */
  isUnsniffable = false;
  /** What a stage threw: a refusal or a bug. */
  failure: unknown;
  /** The release that removes the version of the request, if it is deprecated; empty: not known. */
  removedRelease: string | undefined;
  /** The target in metrics, set when a handler takes the request: what is refused before does not count. */
  countedAs: CountedAs | undefined;
  /** Size of the body; undefined until it has been read. */
  bodyBytes: number | undefined;
  /** In which formats errors may be sent. */
  errorOffer: 'plain' | 'pages' = 'plain';
  /** The user that impersonates `user`; undefined: nobody. */
  impersonator: UserInfo | undefined;
  /** What has taken the request some time. */
  steps: RequestStep[] | undefined;
  /** How long the request has waited for admission webhooks. */
  webhooksMs = 0;
  /** Undefined: the request is not audited. */
  audit: RequestAudit | undefined;
  /** Undefined: the request is not traced. */
  trace: RequestTrace | undefined;
  /** What the request has of the server's seats; undefined: it needs none. */
  seats: SeatTicket | undefined;
  /** Identifies the request in logs; clients may set it. */
  readonly auditId: string;
  readonly #services: RequestServices;
  #info: RequestInfo | undefined;
  #query: URLSearchParams | undefined;
  #endWork: (() => void) | undefined;
  #share: BodyShare | undefined;
  #body: Buffer | undefined;
  #passing: RequestPassing | undefined;
  #objectUid: string | undefined;
  #steppedMs = this.beganMs;

  constructor(exchange: Exchange, services: RequestServices) {
    this.exchange = exchange;
    const { begun } = exchange;
    this.receivedMs = begun?.receivedMs ?? services.clock.now();
    this.auditId = begun?.auditId ?? exchange.header('audit-id') ?? randomUUID();
    this.kinds = services.kinds();
    this.#services = services;
  }

  /** Lazily: most requests for single objects have no query, and many stages do not look at it. */
  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.exchange.query);
    return this.#query;
  }

  /** Decoded, as routes and rules match it. */
  get path(): string {
    return decodedPath(this.exchange.path);
  }

  /** Headers of every response. */
  get commonHeaders(): { readonly [name: string]: string } {
    const { transportSecurity } = this.#services;
    const common =
      this.seats === undefined
        ? { 'cache-control': 'no-cache, private', 'audit-id': this.auditId }
        : {
            'cache-control': 'no-cache, private',
            'audit-id': this.auditId,
            'x-kubernetes-pf-flowschema-uid': this.seats.classification.schemaUid,
            'x-kubernetes-pf-prioritylevel-uid': this.seats.classification.levelUid,
          };
    if (transportSecurity === '' && this.originHeaders === undefined) return common;
    const secured = transportSecurity === '' ? common : { ...common, 'strict-transport-security': transportSecurity };
    return { ...secured, ...this.originHeaders };
  }

  /** Notes the end of a step, if it has taken any time to speak of. */
  step(name: string): void {
    const endedMs = performance.now();
    if (endedMs - this.#steppedMs >= leastStepMs) (this.steps ??= []).push({ name, endedMs });
    this.#steppedMs = endedMs;
  }

  /** The server's log. */
  get log(): Log {
    return this.#services.log;
  }

  /** The server's clock. */
  get clock(): Clock {
    return this.#services.clock;
  }

  /** The properties of the verb; undefined for methods without one and for non-resource paths. */
  get verb(): Verb | undefined {
    const { isResourceRequest, verb } = this.info;
    return isResourceRequest ? this.#services.verbs.get(verb) : undefined;
  }

  /** The status of the response; 0 before there is one. */
  get responseCode(): number {
    return this.exchange.status;
  }

  /** Whether the response may last as long as the client wants. */
  get isLongRunning(): boolean {
    const { isResourceRequest, subresource } = this.info;
    // Profiles are taken for as long as the client says.
    if (!isResourceRequest) return this.path.startsWith(profilesFolder);
    return isLongRunning(this.verb, subresource);
  }

  /** Call after the request has ended. */
  outcome(): Outcome {
    return {
      code: this.responseCode,
      isLongRunning: this.hasInfo && this.isLongRunning,
      isHijacked: this.exchange.isHijacked,
      failure: this.failure,
      durationMs: performance.now() - this.beganMs,
    };
  }

  /** All of the server, which ends them when it stops. */
  get openWatches(): OpenWatches {
    return this.#services.watches;
  }

  get wireForms(): WireForms {
    return this.#services.wireForms;
  }

  /**
   * The whole body, once there is capacity and time to process it. It counts toward the body budget until the request
   * ends. Rejects with a StatusError.
   */
  async readBody(): Promise<Buffer> {
    const { exchange } = this;
    this.#share ??= this.#services.bodies.share();
    const limits = { limitBytes: maxBodyBytes, remainingMs: msUntil(this.deadlineMs), share: this.#share };
    const bytes = await this.#readHere(limits);
    this.bodyBytes = bytes.length;
    this.#body = bytes;
    this.step('limitedReadBody succeeded');
    currentSpan()?.event('limitedReadBody succeeded', { len: bytes.length });
    const entered = this.#services.largeBodies.enter(bytes.length, this.deadlineMs);
    // Of large bodies one is processed in a time slice, of others as many as there is time for.
    if (entered !== undefined) this.#endWork = await entered;
    else if (!sliceOfRound().isOver) return bytes;
    await new TimeSlice().next();
    if (exchange.closed) throw badRequest('the client disconnected before the request was processed');
    return bytes;
  }

  /** Rejects with a `PassOn` if the body turns out to be so large that a lane is to serve the request. */
  async #readHere(limits: BodyLimits): Promise<Buffer> {
    const { exchange } = this;
    const { lanes } = this.#services;
    const isKnown = exchange.header('content-length') !== undefined || !this.info.isResourceRequest;
    if (lanes === undefined || isKnown) return exchange.readBody(limits);
    try {
      return await exchange.readBody({ ...limits, stopBytes: largeBytes });
    } catch (error) {
      if (!(error instanceof LargeBody)) throw error;
      const { begun } = error;
      const lane = await lanes.free();
      if (lane !== undefined) throw this.#begunOn(lane, begun);
      return exchange.readBody({ ...limits, begun });
    }
  }

  #begunOn(lane: Lane, body: Buffer | undefined): PassOn {
    const { auditId, receivedMs } = this;
    const hookResponses = this.#passing?.hookResponses.passed() ?? [];
    return new PassOn(lane, {
      request: { auditId, receivedMs, objectUid: this.#objectUid, hookResponses },
      body,
    });
  }

  /** The uid of the object that the request creates. */
  get objectUid(): string {
    return (this.#objectUid ??= this.exchange.begun?.objectUid ?? randomUUID());
  }

  /** For requests that may turn out to be large after their body has been read; undefined: they stay here. */
  get passing(): RequestPassing | undefined {
    const { exchange } = this;
    const { lanes } = this.#services;
    if ((lanes === undefined && exchange.begun === undefined) || this.isLongRunning) return undefined;
    this.#passing ??= {
      hookResponses: new HookResults(exchange.begun?.hookResponses),
      isLarge: (sizeBytes) => sizeBytes > largeBytes,
      ifLarge: async (sizeBytes) => {
        const lane = sizeBytes > largeBytes ? await lanes?.free() : undefined;
        if (lane !== undefined && !exchange.closed) throw this.#begunOn(lane, this.#body);
      },
    };
    return this.#passing;
  }

  /** The body and what was decoded from it are no longer needed. */
  endWork(): void {
    this.#endWork?.();
  }

  /** Nothing more is done for the request. */
  end(): void {
    this.endWork();
    this.#share?.release();
  }

  /** Whether responses of this sort are compressed for this client. */
  compresses(what: keyof Compression): boolean {
    return this.#services.compression[what] && takesGzip(this.exchange.header('accept-encoding'));
  }

  /** Whether the path has been parsed. */
  get hasInfo(): boolean {
    return this.#info !== undefined;
  }

  get info(): RequestInfo {
    if (this.#info === undefined) throw new Error('request info is not available before its stage');
    return this.#info;
  }

  set info(info: RequestInfo) {
    this.#info = info;
  }
}

/** The parts of a trace that last as long as the request. */
export interface RequestTrace {
  readonly request: Span;
  /** What the verb does; undefined while no verb has begun. */
  step: Span | undefined;
}

/** How a request ended. */
export interface Outcome {
  /** The response status; 0 if the client left before there was one. */
  readonly code: number;
  readonly isLongRunning: boolean;
  /** The connection switched to the WebSocket protocol. */
  readonly isHijacked: boolean;
  /** What a stage threw: a refusal or a bug. */
  readonly failure: unknown;
  readonly durationMs: number;
}

/** One stage of the pipeline. It refuses a request by throwing a StatusError. */
export interface Stage {
  readonly name: string;
  run(context: RequestContext): void | Promise<void>;
  /**
   * Called once when the response head goes out, with its status in `context.responseCode`; not if the client left
   * before.
   */
  started?(context: RequestContext): void;
  /** Called once for each request that reached the stage, after the response, in reverse order of the stages. */
  end?(context: RequestContext, outcome: Outcome): void;
  /** Called instead of `end` if another thread serves the request from its beginning. */
  passedOn?(context: RequestContext): void;
}
