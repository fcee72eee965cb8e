import { expect, test } from 'vitest';
import { field, struct, text } from '../schema/plain-schema.ts';
import { keepUnseenFields } from './kept-fields.ts';

const inner = struct('Inner', [field('a', text), field('new', text)]);
const older = struct('Inner', [field('a', text)]);
const schema = struct('Outer', [field('inner', inner), field('extra', text), field('b', text)]);
const version = struct('Outer', [field('inner', older), field('b', text)]);

test('fields that a version does not have stay, and no others', () => {
  const object = { inner: { a: 'changed' } };
  keepUnseenFields(object, { inner: { a: 'x', new: 'y' }, extra: 'z', b: 'removed' }, { schema, version });
  expect(object).toEqual({ inner: { a: 'changed', new: 'y' }, extra: 'z' });
});

test('a part that is no longer there does not come back', () => {
  const object = {};
  keepUnseenFields(object, { inner: { new: 'y' } }, { schema, version });
  expect(object).toEqual({});
});
