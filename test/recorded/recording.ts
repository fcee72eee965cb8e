import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { kubernetesVersion } from '../../src/server/version.ts';

/*
 * A recording is a file `SUBJECT/testdata/NAME.jsonl` of lines of JSON. The first line says what was recorded, each of
 * the others is a case. Most cases are a name and what the reference answered:
 *
 *     {"recorded":"Kubernetes 1.37.1"}
 *     ["create a pod",{"code":201,"warnings":[]}]
 *     ["create it again",{"code":409,"warnings":[]}]
 *
 * Recordings of more than a megabyte are compressed, as `NAME.jsonl.gz`.
 */

interface Head {
  readonly recorded: string;
}

export const largestPlainBytes = 1_000_000;

/** In the header of gzip: the first two bytes, and the one that names the operating system. */
const gzipHeader = { magic: 0x1f8b, systemIndex: 9, unknownSystem: 255 };

/** The names of all recordings of a subject. */
export function recordingsOf(subject: string): readonly string[] {
  return globSync('*.jsonl{,.gz}', { cwd: join(import.meta.dirname, subject, 'testdata') })
    .map((file) => basename(file).replace(/\.jsonl(?:\.gz)?$/, ''))
    .toSorted();
}

/** The cases of a recording as they were written; `parse` if their numbers are to be kept exactly. */
export function readCases<Case>(subject: string, name: string, parse?: (line: string) => unknown): readonly Case[] {
  const path = pathOf(subject, name);
  // Written by `writeCases`.
  return decodeCases(readFileSync(existsSync(path) ? path : `${path}.gz`), parse) as readonly Case[];
}

export function writeCases(subject: string, name: string, cases: Iterable<unknown>): void {
  const path = pathOf(subject, name);
  const { bytes, isCompressed } = encodeCases(cases);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(isCompressed ? `${path}.gz` : path, bytes);
  rmSync(isCompressed ? path : `${path}.gz`, { force: true });
}

/** Answers by the names of their cases, in the order of the recording. */
export function readResponses<Answer>(subject: string, name: string): ReadonlyMap<string, Answer> {
  return new Map(readCases<readonly [name: string, answer: Answer]>(subject, name));
}

export function writeResponses(subject: string, name: string, answers: Iterable<readonly [string, unknown]>): void {
  writeCases(subject, name, answers);
}

/** An object whose fields are the cases. */
export function readFields<Fields extends object>(subject: string, name: string): Fields {
  // Written by `writeFields`.
  return Object.fromEntries(readResponses(subject, name)) as Fields;
}

export function writeFields(subject: string, name: string, fields: object): void {
  writeResponses(subject, name, Object.entries(fields));
}

/** Answers that many cases share are written once, with the names of their cases. */
export function readSharedResponses<Answer>(subject: string, name: string): ReadonlyMap<string, Answer> {
  const groups = readCases<readonly [names: readonly string[], answer: Answer]>(subject, name);
  return new Map(groups.flatMap(([names, answer]) => names.map((each) => [each, answer] as const)));
}

/** The answers are compared as JSON. */
export function writeSharedResponses(
  subject: string,
  name: string,
  answers: Iterable<readonly [name: string, answer: unknown]>,
): void {
  const groups = Map.groupBy(answers, ([, answer]) => JSON.stringify(answer));
  writeCases(
    subject,
    name,
    [...groups.values()].map((group) => [group.map(([each]) => each), group[0]?.[1]]),
  );
}

export function encodeCases(cases: Iterable<unknown>): { readonly bytes: Buffer; readonly isCompressed: boolean } {
  const head: Head = { recorded: `Kubernetes ${kubernetesVersion}` };
  const plain = Buffer.from([head, ...cases].map((each) => `${JSON.stringify(each)}\n`).join(''));
  if (plain.length <= largestPlainBytes) return { bytes: plain, isCompressed: false };
  const bytes = gzipSync(plain, { level: 9 });
  // Of equal cases the bytes are equal on all systems: zlib writes no time either.
  bytes[gzipHeader.systemIndex] = gzipHeader.unknownSystem;
  return { bytes, isCompressed: true };
}

export function decodeCases(bytes: Buffer, parse: (line: string) => unknown = JSON.parse): readonly unknown[] {
  const isCompressed = bytes.readUInt16BE(0) === gzipHeader.magic;
  const [head = '', ...lines] = (isCompressed ? gunzipSync(bytes) : bytes).toString().trimEnd().split('\n');
  if ((JSON.parse(head) as Partial<Head> | null)?.recorded === undefined)
    throw new Error(`the first line is no head: ${head}`);
  return lines.map((line) => parse(line));
}

function pathOf(subject: string, name: string): string {
  return join(import.meta.dirname, subject, 'testdata', `${name}.jsonl`);
}
