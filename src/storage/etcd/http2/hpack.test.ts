import { describe, expect, test } from 'vitest';
import { type HeaderField, HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import { huffmanDecoded } from './huffman.ts';

function decoded(decoder: HpackDecoder, hex: string): readonly HeaderField[] {
  return decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

/** RFC 7541, appendix C.6: with Huffman codes and a table of 256 bytes, from which fields are evicted. */
test('decodes the responses of the RFC', () => {
  const decoder = new HpackDecoder();
  expect(decoded(decoder, '3fe101')).toEqual([]);
  const common = [
    ['cache-control', 'private'],
    ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['location', 'https://www.example.com'],
  ];
  const first =
    '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 ' +
    '8f0b 97c8 e9ae 82ae 43d3';
  expect(decoded(decoder, first)).toEqual([[':status', '302'], ...common]);
  expect(decoded(decoder, '4883 640e ffc1 c0bf')).toEqual([[':status', '307'], ...common]);
  const third =
    '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 ' +
    'dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07';
  expect(decoded(decoder, third)).toEqual([
    [':status', '200'],
    ['cache-control', 'private'],
    ['date', 'Mon, 21 Oct 2013 20:13:22 GMT'],
    ['location', 'https://www.example.com'],
    ['content-encoding', 'gzip'],
    ['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'],
  ]);
});

describe('refuses', () => {
  test.each([
    ['an index beyond the table', 'be'],
    ['the index zero', '80'],
    ['a text that is cut off', '400a 6375'],
    ['an integer without end', 'ffff ffff ffff ff'],
    ['a table that is larger than it may be', '3fe1 7f'],
  ])('%s', (_, hex) => {
    expect(() => decoded(new HpackDecoder(), hex)).toThrow(expect.objectContaining({ code: 9 }));
  });

  test.each([
    ['padding that is not all ones', '18'],
    ['more padding than is needed', '1fff'],
    ['the end of a string inside it', 'ffff ffff'],
  ])('a Huffman code with %s', (_, hex) => {
    expect(() => huffmanDecoded(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toThrow(
      expect.objectContaining({ code: 9 }),
    );
  });
});

test('decodes what it has encoded, before and after the table has become smaller', () => {
  const [encoder, decoder] = [new HpackEncoder(), new HpackDecoder()];
  for (const bytes of [4096, 200, 0, 4096]) {
    encoder.limit(bytes);
    let size = Infinity;
    for (let round = 0; round < 3; round++) {
      const fields: HeaderField[] = [
        [':method', 'POST'],
        [':path', '/etcdserverpb.KV/Txn'],
        ['traceparent', `${round}`.repeat(300)],
        ...Array.from({ length: 100 }, (_, index): HeaderField => ['grpc-timeout', `${index}S`]),
      ];
      const block = encoder.encode(fields);
      expect(decoder.decode(block)).toEqual(fields);
      expect(block.length).toBeLessThanOrEqual(size);
      size = block.length;
    }
  }
});
