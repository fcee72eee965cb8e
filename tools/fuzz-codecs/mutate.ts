import { below, pick, type Random } from '../random-objects/random.ts';

/** Mutates a body; `other` provides parts to splice in. */
type Mutation = (random: Random, body: Buffer, other: Buffer) => Buffer;

const maxBytes = 32 * 1024;
const deepest = 3000;

/** Tokens that parsers and consumers are known to trip over. */
const tokens: readonly Buffer[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '{"__proto__":{"polluted":1}}',
  '"__proto__":',
  'null',
  'true',
  '{}',
  '[]',
  '""',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  "'",
  '\\',
  '\\u0000',
  '\\ud800',
  '\u0000',
  '\ufeff',
  '0',
  '-0',
  '1e999',
  '-1e-999',
  '9223372036854775808',
  '1e400000000',
  '0x',
  '00',
  '1.',
  '.5',
  '1E+',
  '99999999999999999999',
  'kind',
  'apiVersion',
  'metadata',
  'items',
  '"kind":"List"',
  '"apiVersion":"v1"',
  '\n',
  '\n  ',
  '- ',
  '? ',
  ': ',
  ' #',
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '<<: ',
  '!!binary ',
  '|',
  '>-',
  '%YAML 1.1\n',
  '\t',
  '1Ki',
  '1e1000000000',
  '-9223372036854775808n',
  '2026-02-30T00:00:00Z',
  '1h1',
  '=',
  'k8s\0',
].map((text) => Buffer.from(text));

/** Heads and lengths of the binary formats, mostly exceeding the input. */
const heads: readonly Buffer[] = [
  'ff',
  'ffffffffff7f',
  'ffffffffffffffffff01',
  '80808080808080808080',
  '7f',
  '00',
  '0a',
  '12',
  '1a',
  '0b',
  '0c',
  '08',
  '09',
  '0d',
  '5f',
  '7f',
  '9f',
  'bf',
  'f7',
  'f6',
  'fb7ff8000000000000',
  'f97e00',
  'fa7f800000',
  '1bffffffffffffffff',
  '3bffffffffffffffff',
  '5bffffffffffffffff',
  '9bffffffffffffffff',
  'bbffffffffffffffff',
  '5affffffff',
  '9affffffff',
  'baffffffff',
  'd9d9f7',
  'c0',
  'c1',
  'c2',
  'd5',
  'd6',
  'd7',
  '1c',
  'e0',
  'f800',
  '40',
  '60',
  '80',
  'a0',
  '61c3',
  '41ff',
].map((hex) => Buffer.from(hex, 'hex'));

const nests: readonly { readonly open: Buffer; readonly close: Buffer }[] = [
  { open: Buffer.from('['), close: Buffer.from(']') },
  { open: Buffer.from('{"a":'), close: Buffer.from('}') },
  { open: Buffer.from('- '), close: Buffer.from('') },
  { open: Buffer.from('{a: '), close: Buffer.from('}') },
  { open: Buffer.of(0x81), close: Buffer.of(0xf6) },
  { open: Buffer.of(0xa1, 0x41, 0x61), close: Buffer.of(0xf6) },
  { open: Buffer.of(0x9f), close: Buffer.of(0xff) },
  { open: Buffer.of(0xd9, 0xd9, 0xf7), close: Buffer.of(0xf6) },
];

const mutations: readonly Mutation[] = [
  (random, body) => replaced(body, below(random, body.length), 1, flipped(random, body)),
  (random, body) => replaced(body, below(random, body.length), 1, Buffer.of(below(random, 256))),
  (random, body) => body.subarray(0, below(random, body.length)),
  (random, body) => replaced(body, below(random, body.length), 1 + below(random, 16), Buffer.alloc(0)),
  (random, body) => replaced(body, below(random, body.length), 0, pick(random, tokens)),
  (random, body) => replaced(body, below(random, body.length), 1 + below(random, 8), pick(random, tokens)),
  (random, body) => replaced(body, below(random, body.length), below(random, 2), pick(random, heads)),
  (random, body) => replaced(body, below(random, body.length), below(random, 64), partOf(random, body)),
  (random, body, other) => replaced(body, below(random, body.length), below(random, 64), partOf(random, other)),
  (random, body, other) => Buffer.concat([body.subarray(0, below(random, body.length)), partOf(random, other)]),
  (random, body) => replaced(body, below(random, body.length), 1, lengthChanged(random, body)),
];

/** A body with one or more mutations, sometimes deeply nested. */
export function mutate(random: Random, body: Buffer, other: Buffer): Buffer {
  let mutated = body;
  for (let count = random() < 0.6 ? 1 : 2 + below(random, 3); count > 0; count--) {
    mutated = pick(random, mutations)(random, mutated.length === 0 ? body : mutated, other);
  }
  if (random() < 0.005) mutated = replaced(mutated, below(random, mutated.length + 1), 0, nested(random));
  return mutated.length > maxBytes ? mutated.subarray(0, maxBytes) : mutated;
}

function replaced(body: Buffer, start: number, count: number, by: Buffer): Buffer {
  return Buffer.concat([body.subarray(0, start), by, body.subarray(start + count)]);
}

function flipped(random: Random, body: Buffer): Buffer {
  return Buffer.of((body[below(random, body.length)] ?? 0) ^ (1 << below(random, 8)));
}

/** Changes a byte by one or two, as in an off-by-one length. */
function lengthChanged(random: Random, body: Buffer): Buffer {
  return Buffer.of(((body[below(random, body.length)] ?? 0) + pick(random, [1, 2, 254, 255])) & 255);
}

function partOf(random: Random, body: Buffer): Buffer {
  const start = below(random, body.length);
  return body.subarray(start, start + 1 + below(random, 256));
}

function nested(random: Random): Buffer {
  const { open, close } = pick(random, nests);
  const depth = below(random, deepest);
  const closed = random() < 0.5 ? depth : 0;
  return Buffer.concat([...Array<Buffer>(depth).fill(open), ...Array<Buffer>(closed).fill(close)]);
}
