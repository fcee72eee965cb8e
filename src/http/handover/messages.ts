import type { BegunRequest } from '../../api/contracts/request-passing.ts';
import type { HeaderMap } from '../transport/exchange.ts';

/** A request as it goes to the thread that serves it, without its body. */
export interface ExchangeHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion: '1.1' | '2';
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly host: string;
  readonly rawHeaders: readonly string[];
  /** Header values by lower-case name, as the exchange gives them. */
  readonly headers: ReadonlyMap<string, string>;
  /** Undefined: nothing has been done for the request. */
  readonly begun: BegunRequest | undefined;
  readonly webSocketToken: string | undefined;
  readonly hasBody: boolean;
  /** Whether others share its connection, which the server may ask to end. */
  readonly canEndConnection: boolean;
  /** Whether it is to be told when nothing is done for the request any more. */
  readonly isCounted: boolean;
}

/** What is the same for all exchanges of a connection, sent with the first of them. */
export interface ConnectionHead {
  /** In DER, as in `Credentials`. */
  readonly peer: readonly Uint8Array[] | undefined;
}

/** From the thread that has accepted an exchange. */
export type ToServing =
  | {
      readonly type: 'begin';
      readonly id: number;
      readonly head: ExchangeHead;
      readonly connection: number;
      readonly opened?: ConnectionHead;
    }
  /** No exchange of this connection will follow. */
  | { readonly type: 'forget'; readonly connection: number }
  | ToExchange;

/** For an exchange that has begun. */
export type ToExchange =
  /** More of the body: the next bytes of this memory, or of the last one. */
  | { readonly type: 'body'; readonly id: number; readonly memory?: SharedArrayBuffer; readonly sizeBytes: number }
  | { readonly type: 'bodyEnd'; readonly id: number }
  /** The client broke off. */
  | { readonly type: 'bodyLost'; readonly id: number; readonly message: string | undefined }
  /** So much more of the response has room. */
  | { readonly type: 'room'; readonly id: number; readonly sizeBytes: number }
  | { readonly type: 'closed'; readonly id: number };

/** From the thread that serves it. */
export type FromServing =
  /** The body is wanted; `expectedBytes`: all of it in one piece of memory, if it has that size. */
  | { readonly type: 'read'; readonly id: number; readonly expectedBytes: number }
  /** So much of the body has been read. */
  | { readonly type: 'consumed'; readonly id: number; readonly sizeBytes: number }
  | {
      readonly type: 'respond';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderMap;
      readonly body: Uint8Array | string;
    }
  | {
      readonly type: 'start';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderMap;
      readonly hasTrailers: boolean;
    }
  | { readonly type: 'write'; readonly id: number; readonly chunk: Uint8Array | string }
  | { readonly type: 'end'; readonly id: number; readonly trailers: HeaderMap | undefined }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'endConnection'; readonly id: number }
  | { readonly type: 'release'; readonly id: number };

/** A message without the number of its exchange. */
export type Unnumbered<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

/** Bytes of a body on their way between the threads; HTTP/2 holds as many for each upload. */
export const bodyWindowBytes = 256 * 1024;
/** Bytes of a response on their way between the threads; beyond that its writer waits for the client. */
export const responseWindowBytes = 64 * 1024;
