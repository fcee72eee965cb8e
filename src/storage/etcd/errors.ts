import { StorageError, type StorageErrorCode } from '../contract.ts';
import { GrpcError, type GrpcStatus } from './grpc-status.ts';

/** etcd's errors by message. None of these leaves a write partly applied or in doubt. */
const refusals: readonly { readonly text: string; readonly code: StorageErrorCode }[] = [
  { text: 'etcdserver: mvcc: required revision has been compacted', code: 'compacted' },
  { text: 'etcdserver: mvcc: required revision is a future revision', code: 'future-revision' },
  { text: 'etcdserver: request is too large', code: 'too-large' },
  // gRPC's own limit, slightly above etcd's.
  { text: 'grpc: received message larger than max', code: 'too-large' },
  { text: 'grpc: received message after decompression larger than max', code: 'too-large' },
  { text: 'etcdserver: mvcc: database space exceeded', code: 'refused' },
  { text: 'etcdserver: too many requests', code: 'refused' },
  { text: 'etcdserver: no leader', code: 'refused' },
  { text: 'etcdserver: corrupt cluster', code: 'refused' },
  { text: 'etcdserver: requested lease not found', code: 'refused' },
  { text: 'etcdserver: too large lease TTL', code: 'refused' },
  { text: 'etcdserver: permission denied', code: 'refused' },
  { text: 'etcdserver: user name is empty', code: 'refused' },
  { text: 'etcdserver: invalid auth token', code: 'refused' },
];

const worthRetrying: ReadonlySet<GrpcStatus> = new Set(['UNAVAILABLE', 'CANCELLED', 'DEADLINE_EXCEEDED']);

/** A read can be retried on another member: this one is gone, hangs or has no leader. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof GrpcError && worthRetrying.has(error.code);
}

/** The call was never sent and can always be retried. */
export function isUnsent(error: unknown): boolean {
  return error instanceof GrpcError && error.isUnsent;
}

export function isLeaseMissing(error: unknown): boolean {
  return error instanceof GrpcError && error.details.startsWith('etcdserver: requested lease not found');
}

/** Maps a failed call. A write may have been applied unless etcd explicitly refused it. */
export function storageErrorOf(error: unknown, call: 'read' | 'write'): StorageError {
  if (error instanceof StorageError) return error;
  const details = error instanceof GrpcError ? error.details : String(error);
  return new StorageError(codeOf(error, details, call), details, { cause: error });
}

function codeOf(error: unknown, details: string, call: 'read' | 'write'): StorageErrorCode {
  if (isUnsent(error)) return 'timeout';
  const refusal = refusals.find(({ text }) => details.startsWith(text));
  if (refusal !== undefined) return refusal.code;
  if (call === 'write') return 'unknown';
  return error instanceof GrpcError && error.code === 'DEADLINE_EXCEEDED' ? 'timeout' : 'unavailable';
}

export function closedError(): StorageError {
  return new StorageError('closed', 'the store has been closed');
}
