import type { JsonObject } from '../../src/api/json/json.ts';
import { randomValue } from '../fuzz-definitions/random-value.ts';
import type { Question } from '../../test/recorded/cel/question.ts';
import { schema } from '../../test/recorded/cel/settings.ts';
import { Random } from '../random-objects/repeatable-random.ts';
import { ExpressionWriter } from './random-expression.ts';

const settings = ['object', 'object', 'plain', 'authorizer', 'mutation'];
const olderVersions = ['1.27', '1.28', '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.36'];

/** The question of a seed: an expression, often about a random object, sometimes for an earlier release. */
export function randomQuestion(seed: number): Question {
  const random = new Random(seed);
  const setting = random.pick(settings) ?? 'plain';
  const written = new ExpressionWriter(random, setting).written();
  const expression = random.chance(0.04) ? broken(random, written) : written;
  const version = random.chance(0.08) ? { version: random.pick(olderVersions) ?? '1.36' } : {};
  if (setting !== 'object' || random.chance(0.5)) return { setting, expression, ...version };
  // A schema is JSON. Rules do not see values of a wrong type, only formats may be violated.
  const self = randomValue(random, schema as unknown as JsonObject, { fits: true });
  return { setting, expression, ...version, values: { self } };
}

const pieces = ['(', ')', '.', '"', '[', '}', ' ', '?', '1', 'a', '==', '&&', '!', ',', '\\', '`', 'r"', 'in'];

/** With a character removed, doubled or replaced: mostly a syntax error. */
function broken(random: Random, text: string): string {
  const at = random.below(text.length);
  const piece = random.chance(0.3) ? '' : random.chance(0.3) ? text.slice(at, at + 1).repeat(2) : random.pick(pieces);
  return `${text.slice(0, at)}${piece}${text.slice(at + 1)}`;
}
