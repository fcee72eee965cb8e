import { createHash } from 'node:crypto';
import { type CaseId, type Choice, hashOf } from '../../../tools/walk-schemas/cases.ts';
import { readResponses, readCases, writeResponses, writeCases } from '../recording.ts';
import type { WalkResponse } from '../../../tools/walk-schemas/walked-server.ts';

const subject = 'hostile';

/** A case of one resource and the reference's response. */
export interface RecordedCase {
  readonly label: string;
  readonly id: CaseId;
  readonly answer: WalkResponse;
}

/** Values that most code does not expect. */
const telling: ReadonlySet<string> = new Set([
  'null',
  '{}',
  '[null]',
  '[{}]',
  '9223372036854775807',
  '-9007199254740993',
  '{"constructor":1}',
  '"constructor"',
  '"__proto__"',
]);

/** Cases that failed once. */
const failed = [
  /^\S+ create \S*preferredDuringScheduling\S* \w+ (?:\[?\{\}\]?|\[null\])$/,
  /limitranges \S+ \/spec\/limits\/0\/(?:min|max|default) \w+ \{"constructor":1\}$/,
  /(?:v1\/pods|batch\/v1\/jobs) (?:update|merge-patch) \/spec\S* \w+ 9223372036854775807$/,
];

export const recordedChoice: Choice = (start) => (value) => {
  const key = start + value;
  const hash = hashOf(key);
  return (
    hash % (telling.has(value) ? 900 : 5_000) === 0 || (hash % 4 === 0 && failed.some((pattern) => pattern.test(key)))
  );
};

/** Few plain decoding errors are kept: they are all alike. */
export function isWorthKeeping(key: string, { code, message }: WalkResponse): boolean {
  return code !== 400 || !message.includes('cannot unmarshal') || hashOf(`${key} kept`) % 8 === 0;
}

export function writeValues(cases: readonly RecordedCase[]): void {
  const lines = cases.map(({ label, id, answer }) => [label, ...Object.values(idParts(id)), ...answerParts(answer)]);
  writeCases(subject, 'values', lines);
}

export function readValues(): readonly RecordedCase[] {
  return readCases<unknown[]>(subject, 'values').map((line) => {
    // Written by `writeValues`.
    const [label, subresource, way, place, surroundings, value, ...answer] = line as [
      string,
      ...[CaseId['subresource'], CaseId['way'], CaseId['place'], CaseId['surroundings'], CaseId['value']],
      ...unknown[],
    ];
    return { label, id: { subresource, way, place, surroundings, value }, answer: answerOf(answer) };
  });
}

export function writeOddRequests(answers: ReadonlyMap<string, WalkResponse>): void {
  writeResponses(
    subject,
    'odd-requests',
    [...answers].map(([name, answer]) => [name, answerParts(answer)]),
  );
}

export function readOddRequests(): ReadonlyMap<string, WalkResponse> {
  return new Map(
    [...readResponses<unknown[]>(subject, 'odd-requests')].map(([name, answer]) => [name, answerOf(answer)]),
  );
}

function idParts({ subresource, way, place, surroundings, value }: CaseId): CaseId {
  return { subresource, way, place, surroundings, value };
}

function answerParts({ code, reason, message, causes }: WalkResponse): unknown[] {
  return causes.length === 0 ? [code, reason, message] : [code, reason, message, causes];
}

function answerOf(parts: readonly unknown[]): WalkResponse {
  // Written by `answerParts`.
  const [code, reason, message, causes = []] = parts as [number, string, string, WalkResponse['causes']?];
  return { code, reason, message, causes };
}

/** Messages that show a whole body are shortened to their beginning and a digest. */
export function shortened(answer: WalkResponse): WalkResponse {
  const text = (long: string): string =>
    long.length <= 600
      ? long
      : `${long.slice(0, 200)} ... ${createHash('sha256').update(long).digest('hex').slice(0, 16)}`;
  return {
    ...answer,
    message: text(answer.message),
    causes: answer.causes.map(([reason, message, field]) => [reason, text(message), text(field)]),
  };
}
