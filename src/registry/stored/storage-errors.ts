import type { GroupResource } from '../../api/meta/group-version.ts';
import { StatusError } from '../../api/errors/status.ts';
import {
  internalError,
  LateRequestError,
  resourceExpired,
  serverTimeout,
  serviceUnavailable,
  timeout,
} from '../../api/errors/status-errors.ts';
import { StorageError } from '../../storage/contract.ts';

const writeTooLate = 'request did not complete within requested timeout - context deadline exceeded';

/** Maps storage errors to Status errors; nothing else does. `operation` is the verb that failed. */
export function statusOfStorageError(error: unknown, resource: GroupResource, operation: string): unknown {
  if (!(error instanceof StorageError)) return error;
  const cause = { cause: error };
  switch (error.code) {
    case 'compacted':
      return resourceExpired('The provided resource version is no longer available: it has been compacted.');
    case 'future-revision':
      return timeout(`Too large resource version: ${error.revision ?? 'unknown'}`, 1);
    case 'timeout':
      if (operation === 'get' || operation === 'list') return new LateRequestError(cause);
      return withCause(timeout(writeTooLate), error);
    case 'too-large':
    case 'refused':
      // etcd's message without a reason, as in the reference.
      return withCause(new StatusError({ code: 500, reason: '', message: error.message }), error);
    case 'unavailable':
    case 'outdated':
    case 'closed':
      return withCause(serviceUnavailable(`storage is unavailable: ${error.message}`), error);
    case 'unknown':
      return withCause(serverTimeout(resource, operation, 2), error);
    case 'unencryptable':
      return internalError(error.message, cause);
    default:
      return internalError('storage failed', cause);
  }
}

/** Whether the object itself is too large to store. */
export function isTooLargeToStore(error: unknown): boolean {
  return error instanceof StatusError && error.cause instanceof StorageError && error.cause.code === 'too-large';
}

function withCause(error: StatusError, cause: Error): StatusError {
  return new StatusError(error.status, { cause });
}
