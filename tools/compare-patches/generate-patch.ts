import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { familiar } from '../random-objects/familiar.ts';
import { generate, generateList } from '../random-objects/generate.ts';
import { pick, type Random, some } from '../random-objects/random.ts';

/**
 * A strategic merge patch for objects of a schema, sometimes with directives, nulls, unknown fields and values of wrong
 * types.
 */
export function generatePatch(schema: Schema, random: Random): JsonObject {
  return patchObject(schema, random, 0);
}

function patchObject({ structure }: Schema, random: Random, depth: number): JsonObject {
  const fields = [...(structure?.fields.values() ?? [])];
  const chance = Math.min(0.8, (depth < 3 ? 4 : 2.5) / Math.max(fields.length, 1));
  const patch: JsonObject = {};
  for (const { name, schema } of fields) {
    if (depth > 8 || name === 'managedFields' || random() > chance) continue;
    patch[name] = random() < 0.12 ? null : patchValue(schema, random, depth + 1);
    if (schema.type === 'array') addListDirectives(patch, name, schema, random);
  }
  if (random() < 0.01) patch['unknown'] = pick<JsonValue>(random, [1, 'x', { a: null, b: 1 }, [1]]);
  if (depth > 0 && random() < 0.04)
    patch['$patch'] = pick<JsonValue>(random, ['replace', 'delete', 'replace', 'merge', 5]);
  if (depth > 0 && random() < 0.06) {
    patch['$retainKeys'] = [
      ...Object.keys(patch).filter((key) => !key.startsWith('$')),
      ...some(fields, random, 0.2).map(({ name }) => name),
    ];
  }
  return patch;
}

function patchValue(schema: Schema, random: Random, depth: number): JsonValue {
  if (random() < 0.012) return pick<JsonValue>(random, [7, 'x', true, 1.5, {}, [], ['x'], { a: 'b' }, [{ name: 'a' }]]);
  if (schema.type === 'object' && schema.structure !== undefined) return patchObject(schema, random, depth);
  if (schema.type === 'map') {
    const value = generate(schema, random, familiar, depth);
    if (isJsonObject(value)) for (const key of Object.keys(value)) if (random() < 0.3) value[key] = null;
    return value;
  }
  return schema.type === 'array' ? patchList(schema, random, depth) : generate(schema, random, familiar, depth);
}

function patchList(schema: Schema, random: Random, depth: number): JsonValue[] {
  const { items, patchMergeKey } = schema;
  const list = generateList(schema, random, familiar, depth);
  if (items?.structure === undefined) return list;
  return list.map((item) => {
    const patch = patchObject(items, random, depth + 1);
    if (patchMergeKey === undefined || !isJsonObject(item)) return patch;
    if (random() < 0.02) return patch;
    if (random() < 0.12)
      return { $patch: pick(random, ['delete', 'delete', 'replace']), [patchMergeKey]: item[patchMergeKey] ?? null };
    return { ...patch, [patchMergeKey]: item[patchMergeKey] ?? null };
  });
}

function addListDirectives(patch: JsonObject, name: string, schema: Schema, random: Random): void {
  const key = schema.patchMergeKey;
  const identities = generateList(schema, random, familiar, 9).map((item) =>
    key !== undefined && isJsonObject(item) ? { [key]: item[key] ?? null } : item,
  );
  if (random() < 0.25) {
    const list = patch[name];
    // Usually an order consistent with the patch's list.
    const own = (Array.isArray(list) ? list : []).filter((item) => !isJsonObject(item) || item['$patch'] === undefined);
    const ownIds = own.map((item) => (key !== undefined && isJsonObject(item) ? { [key]: item[key] ?? null } : item));
    const known = new Set(ownIds.map((id) => JSON.stringify(id)));
    const others = identities.filter((id) => !known.has(JSON.stringify(id)));
    patch[`$setElementOrder/${name}`] = random() < 0.85 ? weave(ownIds, others, random) : identities;
    if (random() < 0.2) delete patch[name];
  }
  if (random() < (key === undefined ? 0.3 : 0.02)) {
    patch[`$deleteFromPrimitiveList/${name}`] = identities;
    // With both the reference's result depends on Go's map order.
    delete patch[name];
    delete patch[`$setElementOrder/${name}`];
  }
}

function weave<T>(first: readonly T[], second: readonly T[], random: Random): T[] {
  const left = [...first];
  const right = [...second];
  const out: T[] = [];
  while (left.length + right.length > 0) {
    const next = (random() < 0.5 ? left : right).shift();
    if (next !== undefined) out.push(next);
  }
  return out;
}
