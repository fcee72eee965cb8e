import { createHash } from 'node:crypto';
import { inKeyOrder } from '../../../src/api/json/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import type { StepResponse } from '../differential/scenario.ts';
import { type Digests, readDigests, writeDigests } from '../digests.ts';
import type { Played } from '../../../tools/fuzz-admission/play.ts';

const subject = 'admission';

/** Digests of the answers to the requests of each seed. */
export function readRandom(configuration: string): ReadonlyMap<string, Digests> {
  return readDigests(subject, `random-${configuration}`);
}

export function writeRandom(
  configuration: string,
  played: Iterable<readonly [seed: number, played: readonly Played[]]>,
): void {
  writeDigests(
    subject,
    `random-${configuration}`,
    [...played].map(([seed, steps]) => [String(seed), steps.map(({ answer }) => digestOf(answer))]),
  );
}

/** Starts with the code. */
export function digestOf(answer: StepResponse | undefined): string {
  if (answer === undefined) return 'none';
  const hash = createHash('sha256').update(JSON.stringify(inKeyOrder(comparable(answer))));
  return `${answer.code}${hash.digest('base64url').slice(0, 5)}`;
}

/** The reference reports errors about the entries of a map in random order. */
function comparable(answer: StepResponse): JsonValue {
  const data = JSON.parse(JSON.stringify(answer)) as JsonObject; // an answer is data
  const { body = null } = data;
  if (!isJsonObject(body) || answer.code < 400) return data;
  const { details = null, message = null, ...rest } = body;
  const { causes = [] } = isJsonObject(details) ? details : {};
  const reported = Array.isArray(causes) && causes.length > 0 ? (causes as JsonValue[]) : partsOf(message);
  return { ...data, body: { ...rest, told: reported.toSorted(byText) } };
}

function partsOf(message: JsonValue): JsonValue[] {
  return typeof message === 'string' ? message.split(/[[\],;] ?/) : [message];
}

function byText(a: JsonValue, b: JsonValue): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
