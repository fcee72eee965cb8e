import { expect, test } from 'vitest';
import { authoritiesOf, SigningConfigError, signingDefaults } from './signing-config.ts';

const files = { certFile: 'ca.crt', keyFile: 'ca.key' };

test('nobody signs unless there is an authority', () => {
  expect(authoritiesOf(signingDefaults, ['a', 'b'])).toEqual(new Map());
  expect(authoritiesOf({ ...signingDefaults, all: { certFile: 'ca.crt' } }, ['a'])).toEqual(new Map());
});

test('one authority signs for all, or one for each that has one', () => {
  const each = new Map([['a', files]]);
  expect([...authoritiesOf({ ...signingDefaults, all: files }, ['a', 'b']).keys()]).toEqual(['a', 'b']);
  expect(authoritiesOf({ ...signingDefaults, bySigner: each }, ['a', 'b'])).toEqual(each);
  expect(() => authoritiesOf({ ...signingDefaults, all: files, bySigner: each }, ['a'])).toThrow(SigningConfigError);
  const half = new Map([['a', { certFile: 'ca.crt' }]]);
  expect(() => authoritiesOf({ ...signingDefaults, bySigner: half }, ['a'])).toThrow(SigningConfigError);
});
