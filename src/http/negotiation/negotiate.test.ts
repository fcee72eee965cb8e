import { expect, test } from 'vitest';
import { negotiateInput } from './negotiate.ts';

test.each([
  [undefined, true],
  ['', true],
  ['application/json', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['application/json;', true],
  ['application/json; a=b;', true],
  ['application/json; a="x;y"; b=c', true],
  ['application/json;;', false],
  ['application/json; a', false],
  ['application/json; a=', false],
  ['application/json; a="x', false],
  ['application/json; a=b; A=c', false],
  ['application/jsonx', false],
  ['text/plain', false],
])('a body of %j is JSON: %s', (header, accepted) => {
  const negotiated = (): string => negotiateInput(header, ['application/json']);
  if (accepted) expect(negotiated()).toBe('application/json');
  else expect(negotiated).toThrow('unknown format');
});
