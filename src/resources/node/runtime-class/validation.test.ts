import { expect, it } from 'vitest';
import { fieldErrorText } from '../../../api/errors/field-error.ts';
import { runtimeClass, runtimeClassUpdate } from './validation.ts';

const classOf = (handler: string): { metadata: object; handler: string } => ({ metadata: {}, handler });
const long = 'a'.repeat(64);

it('counts the characters of a handler that changes, and the bytes of a new one', () => {
  expect([...runtimeClass(classOf(long))].map(fieldErrorText)).toEqual([
    `handler: Invalid value: "${long}": must be no more than 63 bytes`,
  ]);
  expect([...runtimeClassUpdate(classOf(long), classOf('h'))].map(fieldErrorText)).toEqual([
    `handler: Invalid value: "${long}": must be no more than 63 characters`,
    'handler: Invalid value: null: field is immutable',
  ]);
});
