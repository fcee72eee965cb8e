import { StorageError, type StorageErrorCode } from '../contract.ts';

/** An error as it goes from thread to thread, which would lose the class and the fields of an `Error`. */
export interface PlainError {
  /** Absent: it is not a StorageError. */
  readonly code?: StorageErrorCode;
  readonly message: string;
  readonly revision?: number | undefined;
  readonly cause?: PlainError;
  readonly stack?: string | undefined;
}

export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack, cause } = error;
  const of = cause === undefined ? {} : { cause: plainError(cause) };
  if (!(error instanceof StorageError)) return { message, stack, ...of };
  return { code: error.code, message, revision: error.revision, stack, ...of };
}

/** The error that `plain` was made of. */
export function errorOf(plain: PlainError): Error {
  const { code, message, revision, stack } = plain;
  const cause = plain.cause === undefined ? {} : { cause: errorOf(plain.cause) };
  const error =
    code === undefined
      ? new Error(message, cause)
      : new StorageError(code, message, { ...cause, ...(revision === undefined ? {} : { revision }) });
  if (stack !== undefined) error.stack = stack;
  return error;
}

export function storageErrorOf(plain: PlainError): StorageError {
  const error = errorOf(plain);
  return error instanceof StorageError ? error : new StorageError('unavailable', error.message, { cause: error });
}
