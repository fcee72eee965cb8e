/** The codes of gRPC, each at its number. */
export const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;
export type GrpcStatus = (typeof statusNames)[number];

/** A call that failed. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: GrpcStatus;
  /** The message of the server, or what has happened to the call. */
  readonly details: string;
  /** The server has certainly not acted on the call. */
  readonly isUnsent: boolean;

  constructor(code: GrpcStatus, details: string, { isUnsent = false } = {}) {
    super(`${statusNames.indexOf(code)} ${code}: ${details}`);
    this.code = code;
    this.details = details;
    this.isUnsent = isUnsent;
  }
}

/**
 * The status of HTTP responses without a gRPC status, such as those of a proxy ("HTTP to gRPC Status Code Mapping").
 */
const ofHttp: Readonly<Record<number, GrpcStatus>> = {
  400: 'INTERNAL',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'UNIMPLEMENTED',
  429: 'UNAVAILABLE',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

interface Headers {
  readonly [name: string]: string | undefined;
}

/** The outcome that headers or trailers tell; undefined: they do not tell it yet. */
export function outcomeOf(headers: Headers): 'OK' | GrpcError | undefined {
  const { 'grpc-status': code, 'grpc-message': message, ':status': status = '200' } = headers;
  if (code === '0') return 'OK';
  if (code !== undefined) {
    return new GrpcError(statusNames[Number(code)] ?? 'UNKNOWN', unescaped(message ?? ''));
  }
  const http = Number(status);
  // Informational ones precede those of the response.
  if (http <= 200) return undefined;
  return new GrpcError(ofHttp[http] ?? 'UNKNOWN', `the server responded with HTTP status ${http}`);
}

function unescaped(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
