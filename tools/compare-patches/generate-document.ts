import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { pick, type Random } from '../random-objects/random.ts';

const keys = ['a', 'b', 'c', 'd'];
const scalars: readonly JsonValue[] = [1, 's', null, true, 1.5, '<', {}, []];

export function generateDocument(random: Random, depth = 0): JsonObject {
  const members = keys.filter(() => random() < 0.5).map((key) => [key, generateValue(random, depth + 1)] as const);
  return Object.fromEntries(random() < 0.3 ? members.toReversed() : members);
}

function generateValue(random: Random, depth: number): JsonValue {
  const kind = random();
  if (depth > 2 || kind < 0.4) return structuredClone(pick(random, scalars));
  if (kind < 0.75) return generateDocument(random, depth);
  return Array.from({ length: Math.floor(random() * 4) }, () => generateValue(random, depth + 1));
}

const steps = ['a', 'b', 'c', 'd', '0', '1', '2', '-', '-1', '-2', '01', 'x~1y', ''];
const verbs = ['add', 'add', 'remove', 'replace', 'move', 'copy', 'test', 'bad'];

/** Up to three operations, many of which fail. */
export function generateOperations(random: Random): JsonObject[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    op: pick(random, verbs),
    path: generatePath(random),
    ...(random() < 0.9 ? { value: generateValue(random, 0) } : {}),
    ...(random() < 0.6 ? { from: generatePath(random) } : {}),
  }));
}

function generatePath(random: Random): string {
  return Array.from({ length: Math.floor(random() * 4) }, () => `/${pick(random, steps)}`).join('');
}
