import { isJsonObject } from '../../src/api/json/json.ts';
import { accessQuestions } from './questions.ts';
import { refusedRequests } from './refused-requests.ts';
import type { TokenAnswer, TokenClient, TokenRequest } from './token-client.ts';

/** Responses in the order of the questions, each text stored once. */
export interface PackedAnswers {
  readonly texts: readonly string[];
  readonly answers: readonly number[];
}

/** Questions that do not change the server: reviews, and requests that are refused. */
export function recordedQuestions(): readonly TokenRequest[] {
  return [...accessQuestions(), ...refusedRequests()];
}

export async function packAnswers(client: TokenClient, questions: readonly TokenRequest[]): Promise<PackedAnswers> {
  const numbers = new Map<string, number>();
  const answers: number[] = [];
  for (let index = 0; index < questions.length; index += 16) {
    const asked = await Promise.all(questions.slice(index, index + 16).map((question) => client.send(question)));
    for (const answer of asked) {
      const text = tokenText(answer);
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      answers.push(numbers.get(text) ?? 0);
    }
  }
  return { texts: [...numbers.keys()], answers };
}

/** Only refusals are recorded: where several bindings allow, the reference names any of them. */
function tokenText({ code, body }: TokenAnswer): string {
  if (!isJsonObject(body)) return String(code);
  const { status, message, reason, details } = body;
  if (isJsonObject(status)) {
    const { reason: why, ...said } = status;
    return JSON.stringify(status['allowed'] === true ? { ...said, why: typeof why } : { ...said, why });
  }
  return code === 403 ? JSON.stringify({ reason, message, details }) : String(code);
}
