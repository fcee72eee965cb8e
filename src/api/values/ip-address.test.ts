import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressInRange, formatIpAddress, parseIpAddress, parseIpRange, sizeOfRange } from './ip-address.ts';

describe('addresses', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['fd00:10:96::', 'fd00:10:96::'],
    ['::', '::'],
  ])('%s is written %s', (text, canonical) => {
    const address = parseIpAddress(text);
    expect(address && formatIpAddress(address)).toBe(canonical);
  });

  test.each(['', '10.0.0', '10.0.0.256', '010.0.0.1', 'fe80::1%eth0', 'localhost'])('%s is none', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  test('the last 32 bits of IPv6 may be dotted', () => {
    expect(parseIpAddress('::ffff:1.2.3.4')?.value).toBe(0xffff01020304n);
  });

  test('parsing reverses formatting', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 128n) - 1n), (value) => {
        const text = formatIpAddress({ family: 6, value });
        expect(isIPv6(text)).toBe(true);
        expect(parseIpAddress(text)).toEqual({ family: 6, value });
      }),
    );
  });
});

describe('ranges', () => {
  test.each([
    ['10.0.0.0/24', '10.0.0.1', 256n],
    ['10.96.3.7/12', '10.96.0.1', 1n << 20n],
    ['fd00:10:96::/112', 'fd00:10:96::1', 65_536n],
  ])('%s begins with %s', (text, first, size) => {
    const range = parseIpRange(text);
    expect(range && formatIpAddress(addressInRange(range, 1n))).toBe(first);
    expect(range && sizeOfRange(range)).toBe(size);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', 'x/24', '10.0.0.0/', '::/129'])('%s is none', (text) => {
    expect(parseIpRange(text)).toBeUndefined();
  });
});
