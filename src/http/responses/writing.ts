import type { KindSchemas } from '../../codec/document.ts';
import type { Writing } from '../forms/encoding.ts';
import { wantsPretty } from '../negotiation/negotiate.ts';
import type { OutputFormat } from '../negotiation/output-format.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Encoding parameters of one response, computed on demand. */
export class ResponseWriting implements Writing {
  readonly #context: RequestContext;
  readonly #format: OutputFormat;

  constructor(context: RequestContext, format: OutputFormat) {
    this.#context = context;
    this.#format = format;
  }

  get pretty(): boolean {
    const { query, exchange } = this.#context;
    return this.#format.pretty || wantsPretty(query, exchange.header('user-agent'));
  }

  /** Schemas of the kinds that a response may contain. */
  get schemaOf(): KindSchemas {
    const { catalogue } = this.#context.kinds;
    return (kind) => catalogue.schemaOf(kind);
  }

  get inMessages(): boolean {
    return this.#context.exchange.acceptWebSocket !== undefined;
  }
}
