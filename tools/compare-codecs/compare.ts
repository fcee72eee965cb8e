import { formatApiVersion, type GroupVersionKind } from '../../src/api/meta/group-version.ts';
import { awkward, writtenJson } from '../random-objects/awkward.ts';
import { builtInKinds, randomObject } from '../random-objects/kinds.ts';
import { pick, type Random } from '../random-objects/random.ts';
import { ownForms } from './own-codecs.ts';
import { type Forms, mediaTypes, type Part, type Question, type ReferenceCodecs } from './reference-codecs.ts';

/** A body on which the two disagree. */
export interface Difference {
  readonly kind: GroupVersionKind;
  /** The media types it was read and written in; the latter is missing if one side refuses the body. */
  readonly from: string;
  readonly to?: string;
  readonly body: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

const shownBytes = 60;

/** Describes a difference for people. */
export function describeDifference({ kind, from, to, body, ours, theirs }: Difference): string {
  let start = 0;
  while (start < ours.length && ours[start] === theirs[start]) start++;
  const part = (bytes: Uint8Array): string =>
    JSON.stringify(Buffer.from(bytes.subarray(Math.max(0, start - shownBytes), start + shownBytes)).toString());
  const what = to === undefined ? 'taken or refused' : `written in ${to}, byte ${start}`;
  return [
    `${formatApiVersion(kind.group, kind.version)} ${kind.kind}, read from ${from}, ${what}`,
    `  ours:   ${part(ours)}`,
    `  theirs: ${part(theirs)}`,
    `  body:   ${Buffer.from(body).toString('base64')}`,
  ].join('\n');
}

/** The two formats that preserve everything. */
const telling = ['application/json', 'application/vnd.kubernetes.protobuf'];

interface Subject {
  readonly kind: GroupVersionKind;
  readonly question: Question;
}

/**
 * Random objects of all kinds: written as JSON with values in any legal spelling, read by both sides and written by
 * both in every format; then each output is read by the other side and written again in the two lossless formats. Bytes
 * are compared.
 */
export function compareObjects(random: Random, count: number, reference: ReferenceCodecs): readonly Difference[] {
  const subjects = Array.from({ length: count }, () => randomSubject(random));
  const theirs = reference.forms(subjects.map(({ question }) => question));
  const ours = subjects.map(({ kind, question }) => ownForms(kind, question));
  const first = subjects.flatMap((subject, index) => differencesOf(subject, at(ours, index), at(theirs, index)));
  const exchanged = subjects.flatMap(({ kind }, index) =>
    mediaTypes.flatMap((mediaType) => {
      const [own, other] = [bodyIn(at(ours, index), mediaType), bodyIn(at(theirs, index), mediaType)];
      return own === undefined || other === undefined ? [] : [{ kind, mediaType, own, other, wanted: telling }];
    }),
  );
  const readByThem = reference.forms(exchanged.map(({ mediaType, own, wanted }) => ({ mediaType, body: own, wanted })));
  const second = exchanged.flatMap(({ kind, mediaType, other, wanted }, index) => {
    const question = { mediaType, body: other, wanted };
    return differencesOf({ kind, question }, ownForms(kind, question), at(readByThem, index));
  });
  return [...first, ...second];
}

/** What is read from stored JSON has no negative zeros: these forms are made of it, the reference's of the object. */
const negativeZeros = /([:,[])-0(?:\.0)?(?=[,}\]])/g;

function randomSubject(random: Random): Subject {
  const chosen = pick(random, builtInKinds);
  const text = writtenJson(randomObject(chosen, random, awkward)).replace(negativeZeros, '$10');
  const body = Buffer.from(text);
  return { kind: chosen.kind, question: { mediaType: 'application/json', body, wanted: mediaTypes } };
}

function differencesOf({ kind, question }: Subject, ours: Forms, theirs: Forms): readonly Difference[] {
  const { mediaType: from, body, wanted } = question;
  if ('error' in ours || 'error' in theirs) {
    if ('error' in ours && 'error' in theirs) return [];
    return [{ kind, from, body, ours: shownOutcome(ours), theirs: shownOutcome(theirs) }];
  }
  return wanted.flatMap((to) => {
    const [own, other] = [partIn(ours, to), partIn(theirs, to)];
    if ('error' in own && 'error' in other) return [];
    const [left, right] = [shownOutcome(own), shownOutcome(other)];
    return agree(to, left, right) ? [] : [{ kind, from, to, body, ours: left, theirs: right }];
  });
}

/**
 * The reference sorts YAML keys by an inconsistent order ('10', '1e3', '2' ...) from a random start: the order of such
 * keys is not comparable.
 */
function agree(mediaType: string, ours: Buffer, theirs: Buffer): boolean {
  if (ours.equals(theirs)) return true;
  const lines = (bytes: Buffer): string => bytes.toString().split('\n').toSorted().join('\n');
  return mediaType === 'application/yaml' && lines(ours) === lines(theirs);
}

function shownOutcome(outcome: Forms | Part): Buffer {
  if ('error' in outcome) return Buffer.from(`error: ${outcome.error}`);
  return 'body' in outcome ? outcome.body : Buffer.from('accepted');
}

function partIn(forms: Forms, mediaType: string): Part {
  if ('error' in forms) return forms;
  return forms.bodies.get(mediaType) ?? { error: 'missing' };
}

function bodyIn(forms: Forms, mediaType: string): Buffer | undefined {
  const part = partIn(forms, mediaType);
  return 'body' in part ? part.body : undefined;
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error('an answer is missing');
  return item;
}
