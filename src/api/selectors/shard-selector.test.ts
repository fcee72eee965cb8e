import { describe, expect, it } from 'vitest';
import { isInShard, parseShardSelector } from './shard-selector.ts';

const low = "'0x0000000000000000', '0x8000000000000000'";
const high = "'0x8000000000000000', '0x10000000000000000'";

describe('a shard selector', () => {
  it.each([
    [`shardRange(object.metadata.uid, ${low})`, `shardRange(object.metadata.uid, ${low})`],
    [
      `(shardRange(object.metadata.uid,'0x0000000000000000',"0x8000000000000000")) || shardRange(object.metadata.uid, ${high})`,
      `shardRange(object.metadata.uid, ${low}) || shardRange(object.metadata.uid, ${high})`,
    ],
    [`x.shardRange(object.metadata.namespace, ${low})`, `shardRange(object.metadata.namespace, ${low})`],
  ])('%s has one canonical form', (text, told) => {
    expect(parseShardSelector(text).text).toBe(told);
  });

  // Recorded from the reference.
  it.each([
    [' ', 'empty shard selector is not allowed; omit the parameter for unfiltered lists'],
    ['foo(1)', 'unsupported function "foo"; only shardRange() and || are allowed'],
    ['1', 'unexpected expression kind 5; expected shardRange() call or || operator'],
    ['a.b', 'unexpected expression kind 7; expected shardRange() call or || operator'],
    ['shardRange(object.metadata.uid)', 'shardRange() requires exactly 3 arguments, got 1'],
    [
      `shardRange(object.metadata.name, ${low})`,
      'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
    ],
    [
      `shardRange(1, ${low})`,
      'shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5',
    ],
    [
      "shardRange(object.metadata.uid, '0x0', '0x8')",
      'hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)',
    ],
    ["shardRange(object.metadata.uid, 1, '0x8')", 'hexStart must be a string literal, got int64'],
    [
      "shardRange(object.metadata.uid, a, '0x8')",
      "hexStart must be a string literal (e.g. '0xff'), got expression kind 3",
    ],
    ["shardRange(object.metadata.uid, 'x', '0x8')", 'hexStart must have \'0x\' prefix, got "x"'],
    ["shardRange(object.metadata.uid, '0x', '0x8')", "hexStart: hex value is required after '0x'"],
    [
      "shardRange(object.metadata.uid, '0x000000000000000G', '0x8')",
      'hexStart: invalid hex character "G" in "0x000000000000000G"',
    ],
    [
      "shardRange(object.metadata.uid, '0x00000000000000001', '0x8')",
      'hexStart: 17-digit hex value must be \'0x10000000000000000\' (2^64), got "0x00000000000000001"',
    ],
    [
      "shardRange(object.metadata.uid, '0x9000000000000000', '0x8000000000000000')",
      'shard range start 0x9000000000000000 must be less than end 0x8000000000000000',
    ],
    [
      `shardRange(object.metadata.uid, ${low}) || shardRange(object.metadata.namespace, ${low})`,
      'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
    ],
    ["'abc", "CEL parse error: Syntax error: token recognition error at: '''"],
  ])('%s is refused', (text, message) => {
    expect(() => parseShardSelector(text)).toThrow(message);
  });

  it.each(['shardRange(', 'a ||', 'a b', '(a', 'f(1,', 'a.', '1.a', ')'])('%s is no expression', (text) => {
    expect(() => parseShardSelector(text)).toThrow('CEL parse error: Syntax error: ');
  });

  // Computed with Go's hash/fnv.
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('hashes %s', (value, hash) => {
    const next = (BigInt(`0x${hash}`) + 1n).toString(16).padStart(16, '0');
    const only = (start: string, end: string): boolean =>
      isInShard(parseShardSelector(`shardRange(object.metadata.uid, '0x${start}', '0x${end}')`), value);
    expect(only(hash, next)).toBe(true);
    expect(only('0000000000000000', hash)).toBe(false);
    expect(only(next, '10000000000000000')).toBe(false);
  });
});
