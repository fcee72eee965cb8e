import { randomUUID } from 'node:crypto';
import { badRequest } from '../api/status-errors.ts';
import type { UserInfo } from '../api/user.ts';
import { anonymousUser } from '../api/user.ts';
import type { BodyBudget, BodyShare } from './body-budget.ts';
import { type Compression, takesGzip } from './compression.ts';
import type { Exchange } from './exchange.ts';
import type { MediaTypes } from './media-types.ts';
import { parseQuery } from './query.ts';
import type { RequestInfo } from './request-info.ts';
import { maxBodyBytes } from './request-limits.ts';
import type { TableDefinition } from '../registry/table.ts';
import type { WorkGate } from './work-gate.ts';

/** What all requests of a server share. */
export interface RequestServices {
  /** How a kind prints as a Table; loaded at the first call. */
  tableOf(group: string, kind: string): Promise<TableDefinition>;
  readonly compression: Compression;
  readonly mediaTypes: MediaTypes;
  readonly workGate: WorkGate;
  readonly bodies: BodyBudget;
}

/** Everything the stages of the pipeline learn about one request. Each stage writes what it is named after. */
export class RequestContext {
  readonly exchange: Exchange;
  readonly receivedMs: number;
  user: UserInfo = anonymousUser;
  /** Texts of Warning headers, without repeats. */
  readonly warnings = new Set<string>();
  /** Milliseconds since the epoch after which the answer is a timeout; watches have none. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** The status of the answer, once it has one: for metrics and logs. */
  responseCode = 0;
  /** Names the request in logs; the client may choose it. */
  readonly auditId: string;
  readonly #services: RequestServices;
  #info: RequestInfo | undefined;
  #query: URLSearchParams | undefined;
  #endWork: (() => void) | undefined;
  #share: BodyShare | undefined;

  constructor(exchange: Exchange, receivedMs: number, services: RequestServices) {
    this.exchange = exchange;
    this.receivedMs = receivedMs;
    this.auditId = exchange.header('audit-id') ?? randomUUID();
    this.#services = services;
  }

  /** Most requests for one object have none, and many stages do not ask. */
  get query(): URLSearchParams {
    this.#query ??= parseQuery(this.exchange.query);
    return this.#query;
  }

  get mediaTypes(): MediaTypes {
    return this.#services.mediaTypes;
  }

  tableOf(group: string, kind: string): Promise<TableDefinition> {
    return this.#services.tableOf(group, kind);
  }

  /**
   * The whole body, once it may be worked on. It counts among those of all requests until this one has ended. Rejects with a StatusError.
   */
  async readBody(): Promise<Buffer> {
    const { exchange } = this;
    this.#share ??= this.#services.bodies.share();
    const remainingMs = this.deadlineMs - Date.now();
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

/** One step of the pipeline. To refuse a request a stage throws a StatusError. */
export interface Stage {
  readonly name: string;
  run(context: RequestContext): void | Promise<void>;
}
