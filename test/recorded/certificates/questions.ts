import { readFileSync } from 'node:fs';
import { pemBlocks, pemOf } from '../../../src/codec/x509/pem.ts';
import { below, pick, type Random, seeded } from '../../../tools/random-objects/random.ts';

/** A certificate, a request, or a certificate and its key, both as PEM. */
export interface Question {
  readonly kind: 'cert' | 'csr' | 'pair';
  readonly name: string;
  /** DER; of a pair PEM. */
  readonly bytes: Buffer;
  readonly key: string;
}

const certificates = ['rsa-full', 'p256-full', 'ed25519-full', 'rsa', 'p384', 'dsa'];
const requests = ['rsa', 'p256', 'ed25519'];

/** What the inputs contain, unchanged and mutated. */
export function questionsOf(seed: number, count: number): readonly Question[] {
  const random = seeded(seed);
  const unchanged = (bytes: Buffer): Buffer => bytes;
  const mutated = (bytes: Buffer): Buffer => mutation(bytes, random);
  return [
    ...certificates.flatMap((name) => ofCertificate(name, unchanged)),
    ...requests.map((name) => ofRequest(name, unchanged)),
    ...Array.from({ length: count }, () => {
      if (random() < 0.2) return ofRequest(pick(random, requests), mutated);
      return pick(random, ofCertificate(pick(random, certificates), mutated));
    }),
  ];
}

function ofCertificate(name: string, change: (bytes: Buffer) => Buffer): readonly Question[] {
  const bytes = change(derOf(`${name}.crt`));
  const key = input(`${name.replace('-full', '')}.key`);
  return [
    { kind: 'cert', name, bytes, key: '' },
    { kind: 'pair', name, bytes: Buffer.from(pemOf('CERTIFICATE', bytes)), key },
  ];
}

function ofRequest(name: string, change: (bytes: Buffer) => Buffer): Question {
  return { kind: 'csr', name, bytes: change(derOf(`${name}.csr`)), key: '' };
}

const input = (file: string): string => readFileSync(new URL(`inputs/${file}`, import.meta.url), 'utf8');

function derOf(file: string): Buffer {
  const [block] = pemBlocks(input(file));
  if (block === undefined) throw new Error(`no PEM in ${file}`);
  return block.bytes;
}

interface DerElement {
  readonly start: number;
  /** Where the content begins. */
  readonly from: number;
  readonly end: number;
}

const tags = [
  1, 2, 3, 4, 5, 6, 12, 19, 22, 23, 24, 30, 0x1f, 0x30, 0x31, 0x3f, 0x80, 0x81, 0x82, 0x86, 0xa0, 0xa1, 0xa3,
];
const bytesOfInterest = [0, 1, 0x20, 0x2e, 0x2f, 0x40, 0x7f, 0x80, 0xff];

type Change = (bytes: Buffer, place: DerElement, random: Random) => Buffer;

const changes: readonly Change[] = [
  (bytes, _, random) => withByte(bytes, below(random, bytes.length), below(random, 256)),
  (bytes, { start }, random) => withByte(bytes, start, pick(random, tags)),
  (bytes, { start }, random) => withByte(bytes, start + 1, (bytes[start + 1] ?? 0) + pick(random, [1, -1, 2])),
  (bytes, { from, end }, random) => withByte(bytes, from + below(random, end - from), pick(random, bytesOfInterest)),
  (bytes, { from }, random) => withByte(bytes, from, pick(random, bytesOfInterest)),
  (bytes, { end }, random) => withByte(bytes, end - 1, pick(random, bytesOfInterest)),
  (bytes, _, random) => bytes.subarray(0, below(random, bytes.length)),
  (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
];

function mutation(bytes: Buffer, random: Random): Buffer {
  const places = placesIn(bytes, 0, bytes.length);
  let changed = bytes;
  for (let count = random() < 0.1 ? 2 : 1; count > 0; count--) {
    changed = pick(random, changes)(changed, pick(random, places), random);
  }
  return changed;
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] = value & 0xff;
  return copy;
}

/** The values of a DER encoding, and those in them. */
function placesIn(bytes: Buffer, from: number, to: number): DerElement[] {
  const places: DerElement[] = [];
  for (let start = from; start + 2 <= to;) {
    const place = placeAt(bytes, start);
    if (place.end > to) return places;
    places.push(place);
    const tag = bytes[start] ?? 0;
    if ((tag & 0x20) !== 0 || tag === 4) places.push(...placesIn(bytes, place.from, place.end));
    start = place.end;
  }
  return places;
}

function placeAt(bytes: Buffer, start: number): DerElement {
  const first = bytes[start + 1] ?? 0;
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
  const from = start + 2 + sizeBytes;
  const length = sizeBytes === 0 ? first : Number.parseInt(bytes.toString('hex', start + 2, from) || '0', 16);
  return { start, from, end: from + length };
}
