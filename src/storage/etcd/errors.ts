import { status, type ServiceError } from '@grpc/grpc-js';
import { StorageError, type StorageErrorCode } from '../contract.ts';

/** grpc-js had no connection for the call. */
const notSent = ['No connection established', 'Name resolution failed'];

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
  ...notSent.map((text) => ({ text, code: 'timeout' as const })),
];

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

const worthRetrying: ReadonlySet<number> = new Set([status.UNAVAILABLE, status.CANCELLED, status.DEADLINE_EXCEEDED]);

/** A read can be retried on another member: this one is gone, hangs or has no leader. */
export function isWorthRetrying(error: unknown): boolean {
  return isServiceError(error) && worthRetrying.has(error.code);
}

/** The call was never sent and can always be retried. */
export function isUnsent(error: unknown): boolean {
  return isServiceError(error) && notSent.some((text) => error.details.startsWith(text));
}

export function isLeaseMissing(error: unknown): boolean {
  return isServiceError(error) && error.details.startsWith('etcdserver: requested lease not found');
}

/** Maps a failed call. A write may have been applied unless etcd explicitly refused it. */
export function storageErrorOf(error: unknown, call: 'read' | 'write'): StorageError {
  if (error instanceof StorageError) return error;
  const details = isServiceError(error) ? error.details : String(error);
  const refusal = refusals.find(({ text }) => details.startsWith(text));
  const late = isServiceError(error) && error.code === status.DEADLINE_EXCEEDED;
  const code = refusal?.code ?? (call === 'write' ? 'unknown' : late ? 'timeout' : 'unavailable');
  return new StorageError(code, details, { cause: error });
}

export function closedError(): StorageError {
  return new StorageError('closed', 'the store has been closed');
}
