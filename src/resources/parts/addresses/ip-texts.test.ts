import { expect, test } from 'vitest';
import { cidrWarnings, ipWarnings } from './ip-texts.ts';

test.each([
  ['10.0.0.1', []],
  ['fd00::1', []],
  ['10.0.00.01', ['p: non-standard IP address "10.0.00.01" is invalid: use "10.0.0.1"']],
  ['::ffff:10.0.0.1', ['p: non-standard IP address "::ffff:10.0.0.1" is invalid: use "10.0.0.1"']],
  ['FD00:0::1', ['p: IPv6 address "FD00:0::1" should be in RFC 5952 canonical format ("fd00::1")']],
  ['none', []],
])('%s', (text, expected) => {
  expect(ipWarnings('p', text)).toEqual(expected);
});

test.each([
  ['10.0.0.0/8', []],
  [
    '10.1.0.0/8',
    ['p: CIDR value "10.1.0.0/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.0.0/32"?)'],
  ],
  ['010.0.0.0/8', ['p: non-standard CIDR value "010.0.0.0/8" is invalid: use "10.0.0.0/8"']],
  ['10.0.0.0/08', ['p: non-standard CIDR value "10.0.0.0/08" is invalid: use "10.0.0.0/8"']],
  ['FD00::/16', ['p: IPv6 CIDR value "FD00::/16" should be in RFC 5952 canonical format ("fd00::/16")']],
])('%s', (text, expected) => {
  expect(cidrWarnings('p', text)).toEqual(expected);
});
