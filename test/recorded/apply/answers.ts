import { createHash } from 'node:crypto';
import { isJsonObject } from '../../../src/api/json/json.ts';
import { encodeAny } from '../../../src/api/json/json-text.ts';
import type { Player } from '../differential/player.ts';
import type { StepResponse } from '../differential/scenario.ts';
import type { RecordedKind } from '../defaults/kinds.ts';
import { sequenceOf } from './sequence.ts';

/** The responses to a sequence, by step. */
export async function answersTo(player: Player, kind: RecordedKind, seed: number): Promise<readonly StepResponse[]> {
  const steps = sequenceOf(kind, seed);
  const answers = await player.play({ name: 'sequence', steps });
  return [...answers.values()].map(comparable);
}

/** Conflicts are unordered; the errors of invalid objects are not under test. */
function comparable(answer: StepResponse): StepResponse {
  const { code, body } = answer;
  if (code === 422) return { ...answer, body: null };
  const details = isJsonObject(body) ? body['details'] : undefined;
  if (!isJsonObject(body) || !isJsonObject(details) || !Array.isArray(details['causes'])) return answer;
  const causes = details['causes'].toSorted((a, b) => (encodeAny(a) < encodeAny(b) ? -1 : 1));
  return { ...answer, body: { ...body, details: { ...details, causes } } };
}

/** Equal for equal responses. */
export function digestOf({ code, warnings, body }: StepResponse): string {
  // Responses are JSON.
  const text = encodeAny({ code, warnings: [...warnings], body: body as string });
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
