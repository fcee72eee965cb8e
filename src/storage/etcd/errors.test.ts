import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { StorageError } from '../contract.ts';
import { isUnsent, isWorthRetrying, storageErrorOf } from './errors.ts';

function serviceError(code: status, details: string): ServiceError {
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: new Metadata() });
}

test.each([
  [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
  [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision', 'future-revision'],
  [status.INVALID_ARGUMENT, 'etcdserver: request is too large', 'too-large'],
  [status.RESOURCE_EXHAUSTED, 'grpc: received message larger than max (2097200 vs. 2097152)', 'too-large'],
  [status.RESOURCE_EXHAUSTED, 'etcdserver: mvcc: database space exceeded', 'refused'],
  [status.UNAVAILABLE, 'No connection established. Last error: connect ECONNREFUSED', 'timeout'],
])('a write that etcd refuses or never saw is not in doubt: %i %s', (code, details, expected) => {
  expect(storageErrorOf(serviceError(code, details), 'write')).toMatchObject({ code: expected, message: details });
});

test.each([
  [status.UNAVAILABLE, 'read ECONNRESET'],
  [status.UNAVAILABLE, 'etcdserver: request timed out'],
  [status.UNAVAILABLE, 'etcdserver: leader changed'],
  [status.UNAVAILABLE, 'etcdserver: server stopped'],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded after 1s'],
  [status.CANCELLED, 'Call cancelled'],
  [status.INTERNAL, 'Received RST_STREAM'],
])('after any other error the write may have been applied: %i %s', (code, details) => {
  const error = serviceError(code, details);
  expect(storageErrorOf(error, 'write')).toMatchObject({ code: 'unknown', message: details, cause: error });
  expect(isUnsent(error)).toBe(false);
});

test('a read changes nothing, so it is never in doubt', () => {
  expect(storageErrorOf(serviceError(status.UNAVAILABLE, 'read ECONNRESET'), 'read').code).toBe('unavailable');
  expect(storageErrorOf(serviceError(status.DEADLINE_EXCEEDED, 'Deadline exceeded'), 'read').code).toBe('timeout');
  expect(isWorthRetrying(serviceError(status.UNAVAILABLE, 'read ECONNRESET'))).toBe(true);
  expect(isWorthRetrying(serviceError(status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision'))).toBe(false);
});

test('errors of the contract stay as they are', () => {
  const error = new StorageError('unavailable', 'closed');
  expect(storageErrorOf(error, 'write')).toBe(error);
});
