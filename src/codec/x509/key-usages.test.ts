import { expect, test } from 'vitest';
import { encodeUsages, unknownUsages } from './key-usages.ts';

function hex(usages: readonly string[]) {
  const { keyUsage, extendedKeyUsage } = encodeUsages(usages);
  return [keyUsage?.toString('hex'), extendedKeyUsage?.toString('hex')];
}

test('bits end with the last one that is set; purposes come in their order', () => {
  expect(hex(['digital signature', 'key encipherment'])).toEqual(['030205a0', undefined]);
  expect(hex(['decipher only', 'signing'])).toEqual(['0303078080', undefined]);
  expect(hex(['client auth', 'server auth', 's/mime', 'email protection'])).toEqual([
    undefined,
    '301e06082b0601050507030106082b0601050507030206082b06010505070304',
  ]);
  expect(unknownUsages(['any', 'spying'])).toEqual(['spying']);
});
