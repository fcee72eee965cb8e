import { type ClientHttp2Stream, constants } from 'node:http2';
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
  readonly #stream: ClientHttp2Stream;
  readonly #receiver: CallReceiver;
  #outcome: 'OK' | GrpcError | undefined;
  #hasEnded = false;

  constructor(stream: ClientHttp2Stream, receiver: CallReceiver) {
    this.#stream = stream;
    this.#receiver = receiver;
    const reader = new MessageReader((message) => {
      if (!this.#hasEnded) receiver.message(message);
    });
    const told = (headers: Parameters<typeof outcomeOf>[0]): void => void (this.#outcome ??= outcomeOf(headers));
    // It forgets it when it closes.
    const { session } = stream;
    let lost: Error | undefined;
    stream.on('response', told);
    stream.on('trailers', told);
    stream.on('data', (chunk: Buffer) => this.#read(reader, chunk));
    stream.on('error', (error) => (lost = error));
    stream.on('end', () => {
      if (this.#outcome !== undefined) this.#end(this.#outcome);
    });
    stream.on('close', () => this.#end(this.#outcome ?? lossOf(stream, { session, lost })));
  }

  write(message: Uint8Array): void {
    if (!this.#stream.destroyed) this.#stream.write(framed(message));
  }

  /** Sends the only message of a call. */
  finish(message: Uint8Array): void {
    this.#stream.end(framed(message));
  }

  /** Ends the call with an error. */
  fail(error: GrpcError): void {
    if (this.#hasEnded) return;
    this.#stream.close(constants.NGHTTP2_CANCEL);
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
function lossOf(
  { rstCode }: ClientHttp2Stream,
  { session, lost }: { readonly session: ClientHttp2Stream['session']; readonly lost: Error | undefined },
): GrpcError {
  // Also streams that a server which is going away has not looked at.
  if (rstCode === constants.NGHTTP2_REFUSED_STREAM) {
    return new GrpcError('UNAVAILABLE', 'the server refused the stream', { isUnsent: true });
  }
  const isConnected = session !== undefined && !session.destroyed;
  if (isConnected && rstCode === constants.NGHTTP2_INTERNAL_ERROR) {
    return new GrpcError('INTERNAL', 'the server reset the stream: internal error');
  }
  if (isConnected && rstCode === constants.NGHTTP2_CANCEL)
    return new GrpcError('CANCELLED', 'the stream was cancelled');
  return new GrpcError('UNAVAILABLE', lost === undefined ? 'the connection was lost' : lost.message);
}
