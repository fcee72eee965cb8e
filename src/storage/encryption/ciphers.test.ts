import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AesCbc } from './aes-cbc.ts';
import { AesGcm } from './aes-gcm.ts';
import { ExtendedNonceGcm } from './extended-nonce.ts';
import { Secretbox } from './secretbox.ts';
import type { ValueTransformer } from './transformer.ts';

const place = { key: '/registry/secrets/default/a', resource: 'secrets' };
const elsewhere = { ...place, key: '/registry/secrets/default/b' };

interface Cipher {
  readonly name: string;
  readonly make: (key: Uint8Array) => ValueTransformer;
  /** Bytes that are added to a value. */
  readonly overhead: (size: number) => number;
  readonly isBound: boolean;
  readonly fault: string;
}

const ciphers: readonly Cipher[] = [
  {
    name: 'AES-GCM',
    make: (key) => new AesGcm(key),
    overhead: () => 28,
    isBound: true,
    fault: 'cipher: message authentication failed',
  },
  {
    name: 'AES-GCM with derived keys',
    make: (key) => new ExtendedNonceGcm(key),
    overhead: () => 60,
    isBound: true,
    fault: 'cipher: message authentication failed',
  },
  {
    name: 'secretbox',
    make: (key) => new Secretbox(key),
    overhead: () => 40,
    isBound: false,
    fault: 'output array was not large enough for encryption',
  },
  { name: 'AES-CBC', make: (key) => new AesCbc(key), overhead: (size) => 32 - (size % 16), isBound: false, fault: '' },
];

const write = async (cipher: ValueTransformer, value: Uint8Array): Promise<Buffer> =>
  Buffer.concat(await cipher.write(value, place));

describe.each(ciphers)('$name', ({ make, overhead, fault }) => {
  const cipher = make(Buffer.alloc(32, 1));

  test('a value comes back, and is never written the same way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (value) => {
        const stored = await write(cipher, value);
        expect(stored.length).toBe(value.length + overhead(value.length));
        expect(Buffer.from((await cipher.read(stored, place)).value).equals(Buffer.from(value))).toBe(true);
        expect(stored.equals(await write(cipher, value))).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test('other keys and shorter values are refused', async () => {
    const stored = await write(cipher, Buffer.from('a value'));
    const other = make(Buffer.alloc(32, 2));
    if (fault !== '') expect(() => other.read(stored, place)).toThrow(fault);
    expect(() => cipher.read(stored.subarray(0, 11), place)).toThrow('shorter than the required size');
    for (const length of [12, 16, 24, 28, 40, stored.length - 1]) {
      expect(() => cipher.read(stored.subarray(0, Math.min(length, stored.length - 1)), place)).toThrow(Error);
    }
  });
});

describe.each(ciphers.filter(({ isBound }) => isBound))('$name', ({ make, fault }) => {
  const cipher = make(Buffer.alloc(32, 1));

  test('a value is bound to its key in the store', async () => {
    const stored = await write(cipher, Buffer.from('a value'));
    expect(() => cipher.read(stored, elsewhere)).toThrow(fault);
  });
});

describe.each(ciphers.filter(({ fault }) => fault !== ''))('$name', ({ make, fault }) => {
  const cipher = make(Buffer.alloc(32, 1));

  test('a changed bit is noticed', async () => {
    const stored = await write(cipher, Buffer.from('a value'));
    for (let index = 0; index < stored.length; index++) {
      const changed = Buffer.from(stored);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => cipher.read(changed, place)).toThrow(fault);
    }
  });
});

test('the padding of AES-CBC is checked', () => {
  const cipher = new AesCbc(Buffer.alloc(32, 1));
  const [iv, ...rest] = cipher.write(Buffer.alloc(16, 7));
  const stored = Buffer.concat([iv!, ...rest]);
  // Without the block of padding, the value itself ends it.
  expect(() => cipher.read(stored.subarray(0, 15))).toThrow('the stored data was shorter than the required size');
  expect(() => cipher.read(stored.subarray(0, 17))).toThrow('the stored data is not a multiple of the block size');
  expect(() => cipher.read(stored.subarray(0, 16))).toThrow('invalid PKCS7 data (empty or not padded)');
  expect(cipher.read(stored.subarray(0, 32)).value).toHaveLength(9);
  const zeros = Buffer.concat(cipher.write(Buffer.alloc(16, 0)) as Uint8Array[]);
  expect(() => cipher.read(zeros.subarray(0, 32))).toThrow('invalid PKCS7 data (empty or not padded)');
  const mixed = Buffer.concat(cipher.write(Buffer.from('0123456789abcd\x01\x02')) as Uint8Array[]);
  expect(() => cipher.read(mixed.subarray(0, 32))).toThrow('invalid padding on input');
});

test('keys of other sizes are refused', () => {
  expect(() => new AesGcm(Buffer.alloc(15))).toThrow('crypto/aes: invalid key size 15');
  expect(() => new ExtendedNonceGcm(Buffer.alloc(31))).toThrow('invalid seed length 31');
});
