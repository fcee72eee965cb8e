import { isJsonObject, type JsonObject } from '../../../../src/api/json/json.ts';
import { Random } from '../../../../tools/random-objects/repeatable-random.ts';
import { customGroup, type CustomKind, schemaIn } from './definitions.ts';
import { randomPart, randomValue } from './values.ts';

/** One write of a custom resource. */
export interface CustomWrite {
  readonly operation: 'apply' | 'merge' | 'replace';
  readonly manager: string;
  readonly version: string;
  readonly force: boolean;
  readonly body: JsonObject;
}

const managers: readonly string[] = ['m1', 'm2', 'm3', 'm4', 'm5'];
const writesOfOneSchema = 15;
const writesOfPhase = 6;
const phasesOfChanging = 3;

export function phasesOf({ schemas }: CustomKind): number {
  return schemas.length === 1 ? 1 : phasesOfChanging;
}

/** Writes of one object by several managers, by phase, determined by `seed`. */
export function customSequence(custom: CustomKind, seed: number): readonly (readonly CustomWrite[])[] {
  const random = new Random(seed);
  const phases = phasesOf(custom);
  const length = phases === 1 ? writesOfOneSchema : writesOfPhase;
  return Array.from({ length: phases }, (_, phase) => {
    const variants = Array.from({ length: 4 }, () => variantOf(random, custom, { phase, seed }));
    return Array.from({ length }, () => writeOf(random, custom, { phase, variants }));
  });
}

function variantOf(
  random: Random,
  custom: CustomKind,
  { phase, seed }: { readonly phase: number; readonly seed: number },
): JsonObject {
  const value = randomValue(random, schemaIn(custom, phase));
  return { ...(isJsonObject(value) ? value : {}), kind: custom.kind, metadata: { name: objectName(seed) } };
}

export function objectName(seed: number): string {
  return `s${seed}`;
}

function writeOf(
  random: Random,
  custom: CustomKind,
  { phase, variants }: { readonly phase: number; readonly variants: readonly JsonObject[] },
): CustomWrite {
  const { kind, metadata = {}, ...fields } = random.pick(variants) ?? {};
  const choice = random.next();
  const operation = choice < 0.14 ? 'replace' : choice < 0.34 ? 'merge' : 'apply';
  const version = random.pick(custom.versions) ?? '';
  const chance = operation === 'replace' ? 1 : (random.pick(operation === 'merge' ? [0.4] : [0.7, 0.9, 1]) ?? 1);
  const part = randomPart(random, schemaIn(custom, phase), fields, chance);
  const body: JsonObject = {
    apiVersion: `${customGroup}/${version}`,
    kind: kind ?? '',
    metadata: { ...(isJsonObject(metadata) ? metadata : {}), ...randomMetadata(random) },
    ...(isJsonObject(part) ? part : {}),
  };
  return { operation, manager: random.pick(managers) ?? '', version, force: random.chance(0.5), body };
}

function randomMetadata(random: Random): JsonObject {
  const metadata: JsonObject = {};
  for (const field of ['labels', 'annotations']) {
    if (random.chance(0.5)) continue;
    const keys = ['a', 'b', 'c'].filter(() => random.chance(0.5));
    metadata[field] = Object.fromEntries(keys.map((key) => [key, String(random.below(2))]));
  }
  return metadata;
}
