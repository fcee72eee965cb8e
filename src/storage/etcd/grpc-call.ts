import { errorCodes } from './http2/http2-error.ts';
import type { HeaderField } from './http2/hpack-decoder.ts';
import type { Http2Session } from './http2/session.ts';
import type { Http2Stream, StreamLoss } from './http2/stream.ts';
import { framed, MessageReader } from './grpc-messages.ts';
import { GrpcError, outcomeOf } from './grpc-status.ts';

export interface CallReceiver {
  message(bytes: Buffer): void;
  /** The call has ended, with the error if it failed; nothing follows. */
  ended(error: GrpcError | undefined): void;
}

/**
 * One call over a stream of HTTP/2:
 *
 * | the stream | the call |
 * |---|---|
 * | ends after a status in its trailers, or in its only headers | ends with it |
 * | is reset, or lost with its connection, before that | fails: it may have had its effect, unless it was refused |
 * | | a call that is cancelled, or late, fails at once; its stream is reset |
 */
export class GrpcCall {
  readonly #stream: Http2Stream;
  readonly #receiver: CallReceiver;
  #outcome: 'OK' | GrpcError | undefined;
  #hasEnded = false;

  constructor(session: Http2Session, fields: readonly HeaderField[], receiver: CallReceiver) {
    this.#receiver = receiver;
    const reader = new MessageReader((message) => {
      if (!this.#hasEnded) receiver.message(message);
    });
    this.#stream = session.request(fields, {
      headers: (headers) => void (this.#outcome ??= outcomeOf(Object.fromEntries(headers))),
      data: (chunk) => this.#read(reader, chunk),
      closed: (loss) => this.#end(this.#outcome ?? lossOf(loss)),
    });
  }

  write(message: Uint8Array): void {
    this.#stream.write(framed(message));
  }

  /** Sends the only message of a call. */
  finish(message: Uint8Array): void {
    this.#stream.end(framed(message));
  }

  /** Ends the call with an error. */
  fail(error: GrpcError): void {
    if (this.#hasEnded) return;
    this.#stream.reset(errorCodes.cancel);
    this.#end(error);
  }

  #read(reader: MessageReader, chunk: Buffer): void {
    try {
      reader.push(chunk);
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      this.fail(error);
    }
  }

  #end(outcome: 'OK' | GrpcError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#receiver.ended(outcome === 'OK' ? undefined : outcome);
  }
}

/** Why a stream has ended without a status. */
function lossOf(loss: StreamLoss | undefined): GrpcError {
  if (loss === undefined) return new GrpcError('UNKNOWN', 'the server ended the stream without a status');
  const { code, error } = loss;
  if (code === undefined) return new GrpcError('UNAVAILABLE', error?.message ?? 'the connection was lost');
  // Also streams that a server which is going away has not looked at.
  if (code === errorCodes.refusedStream) {
    return new GrpcError('UNAVAILABLE', 'the server refused the stream', { isUnsent: true });
  }
  if (code === errorCodes.internal) return new GrpcError('INTERNAL', 'the server reset the stream: internal error');
  if (code === errorCodes.cancel) return new GrpcError('CANCELLED', 'the stream was cancelled');
  return new GrpcError('UNAVAILABLE', `the server reset the stream: code ${code}`);
}
