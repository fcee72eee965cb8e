import { StorageError } from '../storage/contract.ts';

export function isCompacted(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'compacted';
}

/** What has been read is too old to be followed, so that it is read again. */
export function isOvertaken(error: unknown): boolean {
  return isCompacted(error) || (error instanceof StorageError && error.code === 'outdated');
}

export function closedError(): StorageError {
  return new StorageError('closed', 'the watch cache has been closed');
}
