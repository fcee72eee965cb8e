import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { systemClock } from '../../api/clock.ts';
import { parseGoUrl } from '../../api/go-url.ts';
import { goQuote } from '../../api/go-quote.ts';
import { secondsSince } from '../../api/seconds-since.ts';
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

function callError(cause: ServiceError): KmsCallError {
  const name = statusNames.get(cause.code) ?? `Code(${cause.code})`;
  return new KmsCallError(`rpc error: code = ${name} desc = ${cause.details}`, name, { cause });
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

  constructor(endpoint: KmsEndpoint) {
    this.#endpoint = endpoint;
    this.#client = new Client(`unix:${socketPath(endpoint.endpoint)}`, credentials.createInsecure(), {
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
      (error, answer) => {
        const failure = error === null ? undefined : callError(error);
        called?.(method, secondsSince(beganMs), failure);
        if (failure === undefined) resolve(answer ?? Buffer.alloc(0));
        else reject(failure);
      },
    );
    return await promise;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

function socketPath(endpoint: string): string {
  const { scheme, path } = parseGoUrl(endpoint);
  if (scheme !== 'unix') throw new KeyServiceError(`unsupported scheme ${goQuote(scheme)} for remote KMS provider`);
  // Linux' abstract sockets have a name that begins with a zero byte.
  return path.startsWith('/@') ? `\0${path.slice(2)}` : decodeURIComponent(path);
}
