import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { inKeyOrder } from '../../src/api/json/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Answer } from '../../test/differential/scenario.ts';
import type { Played } from './play.ts';

/** One line per seed: the seed, and a digest of each response. */
export function recordingPath(configuration: string): string {
  return join(import.meta.dirname, 'testdata', `${configuration}.txt`);
}

export function lineOf(seed: number, played: readonly Played[]): string {
  return [seed, ...played.map(({ answer }) => digestOf(answer))].join(' ');
}

/** Starts with the code. */
export function digestOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'none';
  const hash = createHash('sha256').update(JSON.stringify(inKeyOrder(comparable(answer))));
  return `${answer.code}${hash.digest('base64url').slice(0, 5)}`;
}

/** The reference reports errors about the entries of a map in random order. */
function comparable(answer: Answer): JsonValue {
  const data = JSON.parse(JSON.stringify(answer)) as JsonObject; // an answer is data
  const { body = null } = data;
  if (!isJsonObject(body) || answer.code < 400) return data;
  const { details = null, message = null, ...rest } = body;
  const { causes = [] } = isJsonObject(details) ? details : {};
  const told = Array.isArray(causes) && causes.length > 0 ? (causes as JsonValue[]) : partsOf(message);
  return { ...data, body: { ...rest, told: told.toSorted(byText) } };
}

function partsOf(message: JsonValue): JsonValue[] {
  return typeof message === 'string' ? message.split(/[[\],;] ?/) : [message];
}

function byText(a: JsonValue, b: JsonValue): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
