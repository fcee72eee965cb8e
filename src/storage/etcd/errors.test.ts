import { expect, test } from 'vitest';
import { StorageError } from '../contract.ts';
import { isUnsent, isWorthRetrying, storageErrorOf } from './errors.ts';
import { GrpcError } from './grpc-status.ts';

test.each([
  ['OUT_OF_RANGE', 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
  ['OUT_OF_RANGE', 'etcdserver: mvcc: required revision is a future revision', 'future-revision'],
  ['INVALID_ARGUMENT', 'etcdserver: request is too large', 'too-large'],
  ['RESOURCE_EXHAUSTED', 'grpc: received message larger than max (2097200 vs. 2097152)', 'too-large'],
  ['RESOURCE_EXHAUSTED', 'etcdserver: mvcc: database space exceeded', 'refused'],
] as const)('a write that etcd refuses or never saw is not in doubt: %s %s', (code, details, expected) => {
  expect(storageErrorOf(new GrpcError(code, details), 'write')).toMatchObject({ code: expected, message: details });
});

test.each([
  ['UNAVAILABLE', 'read ECONNRESET'],
  ['UNAVAILABLE', 'etcdserver: request timed out'],
  ['UNAVAILABLE', 'etcdserver: leader changed'],
  ['UNAVAILABLE', 'etcdserver: server stopped'],
  ['DEADLINE_EXCEEDED', 'Deadline exceeded after 1s'],
  ['CANCELLED', 'Call cancelled'],
  ['INTERNAL', 'Received RST_STREAM'],
] as const)('after any other error the write may have been applied: %s %s', (code, details) => {
  const error = new GrpcError(code, details);
  expect(storageErrorOf(error, 'write')).toMatchObject({ code: 'unknown', message: details, cause: error });
  expect(isUnsent(error)).toBe(false);
});

test('a read changes nothing, so it is never in doubt', () => {
  expect(storageErrorOf(new GrpcError('UNAVAILABLE', 'read ECONNRESET'), 'read').code).toBe('unavailable');
  expect(storageErrorOf(new GrpcError('DEADLINE_EXCEEDED', 'Deadline exceeded'), 'read').code).toBe('timeout');
  expect(isWorthRetrying(new GrpcError('UNAVAILABLE', 'read ECONNRESET'))).toBe(true);
  expect(isWorthRetrying(new GrpcError('OUT_OF_RANGE', 'etcdserver: mvcc: required revision'))).toBe(false);
});

test('errors of the contract stay as they are', () => {
  const error = new StorageError('unavailable', 'closed');
  expect(storageErrorOf(error, 'write')).toBe(error);
});

test('a call that was not sent did nothing, whatever it was', () => {
  const error = new GrpcError('UNAVAILABLE', 'connect ECONNREFUSED 127.0.0.1:2379', { isUnsent: true });
  expect(isUnsent(error)).toBe(true);
  expect(storageErrorOf(error, 'write').code).toBe('timeout');
  expect(storageErrorOf(error, 'read').code).toBe('timeout');
});
