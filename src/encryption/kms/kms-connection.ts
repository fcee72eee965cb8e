import { connect } from 'node:net';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { systemClock } from '../../api/time/clock.ts';
import { parseGoUrl } from '../../api/go/go-url.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import { KeyServiceError } from '../../storage/encryption/transformer.ts';

/** A failed call to a plugin. */
export class KmsCallError extends KeyServiceError {
  override readonly name = 'KmsCallError';
  override readonly code = 'KMS_CALL';
  /** gRPC's name of the status, such as `Unavailable`. */
  readonly grpcStatus: string;

  constructor(message: string, grpcStatus: string, options?: ErrorOptions) {
    super(message, options);
    this.grpcStatus = grpcStatus;
  }
}

function callError(cause: ServiceError, details: string): KmsCallError {
  const name = statusNames.get(cause.code) ?? `Code(${cause.code})`;
  return new KmsCallError(`rpc error: code = ${name} desc = ${details}`, name, { cause });
}

/** As Go's gRPC names them. */
const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries({
    OK: 'OK',
    CANCELLED: 'Canceled',
    UNKNOWN: 'Unknown',
    INVALID_ARGUMENT: 'InvalidArgument',
    DEADLINE_EXCEEDED: 'DeadlineExceeded',
    NOT_FOUND: 'NotFound',
    ALREADY_EXISTS: 'AlreadyExists',
    PERMISSION_DENIED: 'PermissionDenied',
    RESOURCE_EXHAUSTED: 'ResourceExhausted',
    FAILED_PRECONDITION: 'FailedPrecondition',
    ABORTED: 'Aborted',
    OUT_OF_RANGE: 'OutOfRange',
    UNIMPLEMENTED: 'Unimplemented',
    INTERNAL: 'Internal',
    UNAVAILABLE: 'Unavailable',
    DATA_LOSS: 'DataLoss',
    UNAUTHENTICATED: 'Unauthenticated',
  }).map(([constant, name]) => [status[constant as keyof typeof status], name]),
);

/** The status of a call in metrics. */
export function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  return error instanceof KmsCallError ? error.grpcStatus : 'unknown-non-grpc';
}

export interface KmsEndpoint {
  /** `unix:///var/run/kms.sock`, or `unix:///@name` for an abstract socket. */
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** Called with the outcome of each call. */
  readonly called?: (method: string, seconds: number, error: unknown) => void;
}

const encode = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const decode = (bytes: Buffer): Buffer => bytes;

/** A connection to a plugin on a socket. Calls wait for it until their time is over. */
export class KmsConnection implements Disposable {
  readonly #client: Client;
  readonly #endpoint: KmsEndpoint;
  readonly #path: string;

  constructor(endpoint: KmsEndpoint) {
    this.#endpoint = endpoint;
    this.#path = socketPath(endpoint.endpoint);
    this.#client = new Client(`unix:${this.#path}`, credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
      // A plugin that comes back has the same address.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
    });
  }

  /** Sends one message and receives one. Rejects with a KmsCallError. */
  async call(method: string, request: Uint8Array): Promise<Buffer> {
    const { timeoutMs, called } = this.#endpoint;
    const beganMs = performance.now();
    const metadata = new Metadata({ waitForReady: true });
    // gRPC knows times of the system's clock only.
    const deadline = systemClock.now() + timeoutMs;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#client.makeUnaryRequest<Uint8Array, Buffer>(
      ...([method, encode, decode, request, metadata, { deadline }] as const),
      (error, response) => (error === null ? resolve(response ?? Buffer.alloc(0)) : reject(error)),
    );
    try {
      const response = await promise;
      called?.(method, secondsSince(beganMs), undefined);
      return response;
    } catch (error) {
      const failed = error as ServiceError; // the library rejects with nothing else
      const failure = callError(failed, await this.#detailsOf(failed));
      called?.(method, secondsSince(beganMs), failure);
      throw failure;
    }
  }

  /** The library does not say why a call that waited for a connection did not get one. */
  async #detailsOf({ code, details }: ServiceError): Promise<string> {
    const isUnconnected = code === status.DEADLINE_EXCEEDED && details.includes('Waiting for LB pick');
    return (isUnconnected ? await dialFailure(this.#path) : undefined) ?? details;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

const dialErrors: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['ECONNREFUSED', 'connection refused'],
  ['EACCES', 'permission denied'],
  ['ENOTSOCK', 'socket operation on non-socket'],
]);

/** Why a socket does not take a connection, in the words of Go's gRPC; undefined if it does. */
async function dialFailure(path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ path });
  socket.once('connect', () => resolve(undefined));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  const code = await promise;
  socket.destroy();
  if (code === undefined) return undefined;
  const place = path.startsWith('\0') ? `@${path.slice(1)}` : path;
  const dialing = `transport: Error while dialing: dial unix ${place}: connect: ${dialErrors.get(code) ?? code}`;
  return `latest balancer error: connection error: desc = ${goQuote(dialing)}`;
}

function socketPath(endpoint: string): string {
  const { scheme, path } = parseGoUrl(endpoint);
  if (scheme !== 'unix') throw new KeyServiceError(`unsupported scheme ${goQuote(scheme)} for remote KMS provider`);
  // Linux' abstract sockets have a name that begins with a zero byte.
  return path.startsWith('/@') ? `\0${path.slice(2)}` : decodeURIComponent(path);
}
