import { expect, test } from 'vitest';
import { fieldErrorText, invalidField } from './field-error.ts';

test.each([
  [9_223_372_036_854_775_807n, '9223372036854775807'],
  [{ a: [9_223_372_036_854_775_807n, '<'] }, '{"a":[9223372036854775807,"\\u003c"]}'],
])('shows the value of a field: %s', (value, shown) => {
  expect(fieldErrorText(invalidField('spec', value, 'no'))).toBe(`spec: Invalid value: ${shown}: no`);
});
