import { expect, test } from 'vitest';
import { StorageError } from '../contract.ts';
import { errorOf, plainError, storageErrorOf } from './plain-error.ts';

const sent = (error: unknown): Error => errorOf(structuredClone(plainError(error)));

test('an error of the store arrives with class, code, revision, cause and stack', () => {
  const error = new StorageError('compacted', 'gone', { revision: 12, cause: new Error('first', { cause: 'text' }) });
  const arrived = sent(error);
  expect(arrived).toBeInstanceOf(StorageError);
  expect(arrived).toMatchObject({ code: 'compacted', message: 'gone', revision: 12, stack: error.stack });
  expect(arrived.cause).toMatchObject({ message: 'first', cause: { message: 'text' } });
  const without = sent(new StorageError('closed', 'closed'));
  expect(without).toMatchObject({ code: 'closed', revision: undefined });
  expect(without.cause).toBeUndefined();
});

test('other errors stay what they are, but end a watch as an unavailable store does', () => {
  const error = new TypeError('a bug');
  expect(sent(error)).not.toBeInstanceOf(StorageError);
  expect(sent(error)).toMatchObject({ message: 'a bug', stack: error.stack });
  expect(storageErrorOf(plainError(error))).toMatchObject({ code: 'unavailable', message: 'a bug' });
});
