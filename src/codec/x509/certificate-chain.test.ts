import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Certificate, parseCertificate } from './certificate.ts';
import { certificateChain } from './certificate-chain.ts';
import {
  bitString,
  boolean,
  type Der,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der-writer.ts';

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Template {
  readonly name: string;
  readonly extensions?: readonly Der[];
  readonly by?: Holder;
  readonly keys?: ReturnType<typeof newKeys>;
  readonly version?: 1 | 3;
  readonly hash?: 'sha256' | 'sha1';
}

interface Holder {
  readonly name: Der;
  readonly keys: ReturnType<typeof newKeys>;
  readonly certificate: Certificate;
}

const algorithms = { sha256: '1.2.840.10045.4.3.2', sha1: '1.2.840.10045.4.1' } as const;

function issue({ name: text, extensions = [], by, keys = newKeys(), version = 3, hash = 'sha256' }: Template): Holder {
  const name = sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(text))));
  const algorithm = sequence(objectIdentifier(algorithms[hash]));
  const body = sequence(
    ...(version === 3 ? [explicit(0, integer(Buffer.from([2])))] : []),
    integer(Buffer.from([1])),
    algorithm,
    by?.name ?? name,
    sequence(time(1_000), time(9_000)),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(version === 3 ? [explicit(3, sequence(...extensions))] : []),
  );
  const signature = sign(hash, body, (by?.keys ?? keys).privateKey);
  return { name, keys, certificate: parseCertificate(sequence(body, algorithm, bitString(signature))) };
}

const extension = (oid: string, value: Der, isCritical = false): Der =>
  sequence(objectIdentifier(oid), ...(isCritical ? [boolean(true)] : []), octetString(value));
const authorityExtension = (pathLength?: number): Der =>
  extension(
    '2.5.29.19',
    sequence(boolean(true), ...(pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))])),
  );
const authority = (name: string, more: Partial<Template> = {}): Holder =>
  issue({ name, extensions: [authorityExtension()], ...more });
const hostName = Buffer.concat([Buffer.from([0x82, 1]), Buffer.from('x')]);

const root = authority('root');

function lengthOf(client: Holder, sent: readonly Holder[] = [], trusted: readonly Holder[] = [root], nowMs = 5_000) {
  const [authorities, intermediates] = [trusted, sent].map((holders) => holders.map(({ certificate }) => certificate));
  return certificateChain(client.certificate, {
    authorities: authorities ?? [],
    intermediates: intermediates ?? [],
    purpose: 'client',
    nowMs,
  })?.length;
}

test('is in force from its first to its last moment', () => {
  const client = issue({ name: 'ann', by: root });
  expect([999, 1_000, 9_000, 9_001].map((now) => lengthOf(client, [], [root], now))).toEqual([
    undefined,
    2,
    2,
    undefined,
  ]);
});

test('leads over intermediates in any order', () => {
  const one = authority('one', { by: root });
  const two = authority('two', { by: one });
  const client = issue({ name: 'ann', by: two });
  expect(lengthOf(client, [one, two])).toBe(4);
  expect(lengthOf(client, [two, one])).toBe(4);
  expect(lengthOf(client, [two])).toBeUndefined();
});

test('is no longer than an authority allows', () => {
  const short = issue({ name: 'short', extensions: [authorityExtension(0)] });
  const middle = authority('middle', { by: short });
  expect(lengthOf(issue({ name: 'ann', by: short }), [], [short])).toBe(2);
  expect(lengthOf(issue({ name: 'ann', by: middle }), [middle], [short])).toBeUndefined();
});

test('ends at what is no authority', () => {
  const client = issue({ name: 'ann', by: root });
  expect(lengthOf(issue({ name: 'bea', by: client }), [client])).toBeUndefined();
  expect(lengthOf(issue({ name: 'bea', by: client }), [], [client])).toBeUndefined();
});

test('may end at an authority of before version 3', () => {
  const old = issue({ name: 'old', version: 1 });
  expect(lengthOf(issue({ name: 'ann', by: old }), [], [old])).toBe(2);
  const middle = issue({ name: 'middle', version: 1, by: root });
  expect(lengthOf(issue({ name: 'ann', by: middle }), [middle])).toBeUndefined();
});

test('does not go in circles', () => {
  const one = authority('one');
  const two = authority('two', { by: one });
  const oneByTwo = authority('one', { by: two, keys: one.keys });
  expect(lengthOf(issue({ name: 'ann', by: one }), [two, oneByTwo])).toBeUndefined();
});

test('is not looked for with many signatures', () => {
  const sent = Array.from({ length: 30 }, () => authority('same'));
  const [last = root] = sent.slice(-1);
  const named = authority('same', { by: root, keys: last.keys });
  const client = issue({ name: 'ann', by: last });
  expect(lengthOf(client, [...sent.slice(20, 29), named])).toBe(3);
  expect(lengthOf(client, [...sent.slice(0, 29), named])).toBeUndefined();
});

test('contains no SHA-1', () => {
  expect(lengthOf(issue({ name: 'ann', by: root, hash: 'sha1' }))).toBeUndefined();
});

test.each([
  ['a critical extension that nobody knows', extension('1.2.3.4', Buffer.from([5, 0]), true)],
  ['required policies', extension('2.5.29.36', sequence())],
  [
    'constraints of directories',
    extension('2.5.29.30', sequence(explicit(0, sequence(explicit(4, sequence())))), true),
  ],
])('contains no %s', (_, unclear) => {
  const middle = issue({ name: 'middle', by: root, extensions: [authorityExtension(), unclear] });
  expect(lengthOf(issue({ name: 'ann', by: middle }), [middle])).toBeUndefined();
});

test('below constraints of names nobody has names', () => {
  const constraints = extension('2.5.29.30', sequence(explicit(0, sequence(hostName))), true);
  const middle = issue({ name: 'middle', by: root, extensions: [authorityExtension(), constraints] });
  const host = extension('2.5.29.17', sequence(hostName));
  expect(lengthOf(issue({ name: 'ann', by: middle }), [middle])).toBe(3);
  expect(lengthOf(issue({ name: 'ann', by: middle, extensions: [host] }), [middle])).toBeUndefined();
  expect(lengthOf(issue({ name: 'ann', by: root, extensions: [host] }))).toBe(2);
});
