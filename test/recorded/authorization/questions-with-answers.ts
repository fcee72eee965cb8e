import { isJsonObject } from '../../../src/api/json/json.ts';
import { accessQuestions } from '../../authorization/questions.ts';
import { refusedRequests } from '../../authorization/refused-requests.ts';
import type { TokenResponse, TokenClient, TokenRequest } from '../../authorization/token-client.ts';
import { readSharedResponses, writeSharedResponses } from '../recording.ts';

/** Questions that do not change the server: reviews, and requests that are refused. */
export function recordedQuestions(): readonly TokenRequest[] {
  return [...accessQuestions(), ...refusedRequests()];
}

/** The answers in the order of the questions. */
export async function answersTo(client: TokenClient, questions: readonly TokenRequest[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let index = 0; index < questions.length; index += 16) {
    const responses = await Promise.all(questions.slice(index, index + 16).map((question) => client.send(question)));
    answers.push(...responses.map(tokenText));
  }
  return answers;
}

/** By the number of the question. */
export function readRecordedResponses(): ReadonlyMap<string, string> {
  return readSharedResponses('authorization', 'answers');
}

export function writeRecordedResponses(answers: readonly string[]): void {
  writeSharedResponses(
    'authorization',
    'answers',
    answers.map((answer, index) => [String(index), answer]),
  );
}

/** Only refusals are recorded: where several bindings allow, the reference names any of them. */
function tokenText({ code, body }: TokenResponse): string {
  if (!isJsonObject(body)) return String(code);
  const { status, message, reason, details } = body;
  if (isJsonObject(status)) {
    const { reason: why, ...said } = status;
    return JSON.stringify(status['allowed'] === true ? { ...said, why: typeof why } : { ...said, why });
  }
  return code === 403 ? JSON.stringify({ reason, message, details }) : String(code);
}
