import { readResponses, readCases, writeResponses, writeCases } from '../recording.ts';
import type { Played } from './play.ts';
import { accepts } from './requests.ts';

const subject = 'negotiation';

/** Undefined stands for no header, which JSON does not have. */
const headers = accepts.map((accept) => accept ?? null);

/** Many Accept headers get the same response: each is recorded once, and requests refer to it by its index. */
export function writeRecording(played: Played): void {
  const answers = [...new Set([...played.values()].flat())];
  const indexes = new Map(answers.map((answer, index) => [answer, index]));
  writeCases(subject, 'accepts', headers);
  writeCases(subject, 'answers', answers);
  const requests = [...played].map(
    ([name, told]) => [name, told.map((answer) => indexes.get(answer)).join(' ')] as const,
  );
  writeResponses(subject, 'requests', requests);
}

/** The recorded responses; throws if they are for other headers. */
export function readRecording(): Played {
  if (JSON.stringify(readCases(subject, 'accepts')) !== JSON.stringify(headers)) {
    throw new Error('the Accept headers are not those of the recording');
  }
  const answers = readCases<string>(subject, 'answers');
  const requests = readResponses<string>(subject, 'requests');
  return new Map(
    [...requests].map(([name, indexes]) => [name, indexes.split(' ').map((index) => answers[Number(index)] ?? '')]),
  );
}
