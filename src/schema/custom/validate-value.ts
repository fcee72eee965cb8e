import type { FieldError } from '../../api/field-error.ts';
import { goQuote } from '../../api/go-quote.ts';
import { encodeAny } from '../../api/json-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { type JsonSchema, schemaIn } from './json-schema.ts';
import { hasFormat } from './text-formats.ts';
import { countVerdict, numberVerdict, sizeVerdict, textVerdict } from './value-constraints.ts';
import { problemError, type ValueProblem, Verdict } from './value-problems.ts';

/*
 * A value of a custom resource against its schema. All checks that apply to a value are made, in this order:
 *
 * | check | applies to |
 * |---|---|
 * | type and format | schemas that have one |
 * | anyOf, oneOf, allOf, not | everything |
 * | lengths and pattern, form of the format | texts |
 * | bounds | numbers |
 * | items | lists |
 * | enum | everything |
 * | properties | objects |
 */

/**
 * What is wrong with a value that stands at `path`. Structural schemas only. What is in `old` as well is not minded: it may have been there
 * before the schema.
 */
export function validateValue(schema: JsonSchema, value: JsonValue, path: string, old?: JsonValue): FieldError[] {
  return judge(schema, value, { path: '', old }).problems.map((problem) => problemError(problem, path));
}

/** Where a value stands in the one that is checked, and what stood there before; undefined where that is not known. */
interface Place {
  readonly path: string;
  readonly old: JsonValue | undefined;
}

/** What the schema of a part of the value says of it. */
function judge(schema: JsonSchema, value: JsonValue, place: Place): Verdict {
  const verdict = verdictOf(schema, value, place);
  if (verdict.valid || place.old === undefined || !equal(value, place.old)) return verdict;
  const ratcheted = new Verdict();
  ratcheted.matches = verdict.matches;
  return ratcheted;
}

function verdictOf(schema: JsonSchema, value: JsonValue, place: Place): Verdict {
  const { path } = place;
  const verdict = new Verdict();
  if (value === null) return verdict.merge(typeVerdict(schema, value, path), enumVerdict(schema, value, path));
  const run = (part: Verdict): void => {
    verdict.merge(part);
    verdict.matches += 1;
  };
  if (typesOf(schema).length > 0 || (schema.format ?? '') !== '') run(typeVerdict(schema, value, path));
  run(alternatives(schema, value, place));
  if (typeof value === 'string') {
    run(textVerdict(schema, value, path));
    const sound = hasFormat(schema.format ?? '', value);
    if (sound !== undefined) run(formatVerdict(schema.format ?? '', value, { path, sound }));
  }
  if (typeof value === 'number' || typeof value === 'bigint') run(numberVerdict(schema, value, path));
  if (Array.isArray(value)) run(itemsVerdict(schema, value, place));
  run(enumVerdict(schema, value, path));
  if (isJsonObject(value)) run(propertiesVerdict(schema, value, place));
  verdict.matches += 1;
  return verdict;
}

/** Empty where every type will do. */
function typesOf({ type = '', 'x-kubernetes-int-or-string': isEither }: JsonSchema): readonly string[] {
  if (isEither === true) return eitherTypes;
  return type === '' ? [] : [type];
}

const eitherTypes = ['integer', 'string'];

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeProblem(path: string, wanted: string, found: string): ValueProblem {
  return { kind: 'type', path, message: `${path} in body must be of type ${wanted}: ${goQuote(found)}`, value: found };
}

function typeVerdict(schema: JsonSchema, value: JsonValue, path: string): Verdict {
  const verdict = new Verdict();
  const types = typesOf(schema);
  const { format = '' } = schema;
  const found = typeName(value);
  if (value === null) {
    if (types.length > 0 && schema.nullable !== true) return verdict.add(typeProblem(path, types.join(','), found));
    verdict.matches += 1;
    return verdict;
  }
  const isRight = types.includes(found) || (types.includes('number') && found === 'integer');
  const isListed = found === 'string' || found === 'array';
  const own = formatOf(value);
  if (!isListed && format !== '' && !isRight && own !== format) return verdict.add(typeProblem(path, format, own));
  const isNumeric = types.includes('number') || types.includes('integer');
  const formatDecides = isListed && format !== '' && !isNumeric;
  if (!formatDecides && !isRight) return verdict.add(typeProblem(path, types.join(','), found));
  verdict.matches += 1;
  return verdict;
}

/** The format that a value has by itself. */
function formatOf(value: JsonValue): string {
  const name = typeName(value);
  return name === 'integer' ? 'int64' : name === 'number' ? 'float64' : '';
}

function formatVerdict(
  format: string,
  value: string,
  { path, sound }: { readonly path: string; readonly sound: boolean },
): Verdict {
  return sound ? new Verdict() : new Verdict().add(typeProblem(path, format, value));
}

function alternatives(schema: JsonSchema, value: JsonValue, place: Place): Verdict {
  const { path } = place;
  const verdict = new Verdict();
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length > 0)
    anyVerdict(
      anyOf.map((part) => verdictOf(part, value, place)),
      path,
      verdict,
    );
  if (oneOf.length > 0)
    oneVerdict(
      oneOf.map((part) => verdictOf(part, value, place)),
      path,
      verdict,
    );
  if (allOf.length > 0) {
    const parts = allOf.map((part) => verdictOf(part, value, place));
    const valid = parts.filter((part) => part.valid).length;
    verdict.merge(...parts);
    const none = valid === 0 ? '. None validated' : '';
    if (valid < parts.length)
      verdict.add(general(path, `${goQuote(path)} must validate all the schemas (allOf)${none}`));
  }
  if (not !== undefined && verdictOf(not, value, place).valid) {
    verdict.add(general(path, `${goQuote(path)} must not validate the schema (not)`));
  }
  verdict.matches += 1;
  return verdict;
}

function general(path: string, message: string): ValueProblem {
  return { kind: 'general', path, message };
}

/** The alternative that comes nearest; the first of several. */
function nearest(parts: readonly Verdict[]): Verdict | undefined {
  let best: Verdict | undefined;
  for (const part of parts) if (best === undefined || part.matches > best.matches) best = part;
  return best;
}

function anyVerdict(parts: readonly Verdict[], path: string, verdict: Verdict): void {
  const valid = parts.find((part) => part.valid);
  if (valid === undefined) verdict.add(general(path, `${goQuote(path)} must validate at least one schema (anyOf)`));
  const told = valid ?? nearest(parts);
  if (told !== undefined) verdict.merge(told);
}

function oneVerdict(parts: readonly Verdict[], path: string, verdict: Verdict): void {
  const valid = parts.filter((part) => part.valid);
  const [only] = valid;
  if (valid.length === 1 && only !== undefined) {
    verdict.merge(only);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  verdict.add(general(path, `${goQuote(path)} must validate one and only one schema (oneOf). ${found}`));
  const told = valid.length === 0 ? nearest(parts) : undefined;
  if (told !== undefined) verdict.merge(told);
}

function itemsVerdict(schema: JsonSchema, items: readonly JsonValue[], { path, old }: Place): Verdict {
  const verdict = new Verdict();
  const item = schemaIn(schema.items);
  const oldItem = oldItems(schema, old);
  for (const [index, value] of items.entries()) {
    if (item !== undefined) verdict.merge(judge(item, value, { path: `${path}[${index}]`, old: oldItem(value) }));
  }
  verdict.merge(sizeVerdict(schema, items, path));
  verdict.matches += 1;
  return verdict;
}

function enumVerdict({ enum: allowed = [] }: JsonSchema, value: JsonValue, path: string): Verdict {
  const verdict = new Verdict();
  if (allowed.length === 0 || (value !== null && allowed.some((item) => equal(item, value)))) return verdict;
  const message = `${path} in body should be one of [${allowed.map(enumText).join(' ')}]`;
  return verdict.add({ kind: 'enum', path, message, value, allowed });
}

function enumText(item: JsonValue): string {
  return typeof item === 'string' ? item : encodeAny(item);
}

function equal(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equal(item, b[index] ?? null));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name] ?? null, b[name] ?? null))
  );
}

/** Objects are converted before they are compared, so a change of version does not show. */
const typeFields: ReadonlySet<string> = new Set(['kind', 'apiVersion']);

/** Items of lists by keys are known again by their keys, those of other lists are not. */
function oldItems(schema: JsonSchema, old: JsonValue | undefined): (item: JsonValue) => JsonValue | undefined {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return () => undefined;
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: JsonValue): string | undefined =>
    isJsonObject(item) ? encodeAny(names.map((name) => item[name] ?? null)) : undefined;
  const byKey = new Map(old.map((item) => [keyOf(item), item]));
  return (item) => byKey.get(keyOf(item));
}

function propertiesVerdict(schema: JsonSchema, object: JsonObject, { path, old }: Place): Verdict {
  const oldOf = (name: string): JsonValue | undefined =>
    isJsonObject(old) && !(path === '' && typeFields.has(name)) ? getOwn(old, name) : undefined;
  const verdict = countVerdict(schema, object, path);
  const { properties = {}, additionalProperties, required = [] } = schema;
  const others = Object.entries(object).filter(([name]) => !Object.hasOwn(properties, name));
  const values = schemaIn(additionalProperties);
  for (const [name, value] of others) {
    if (additionalProperties === false) {
      const message = `${path}.${name} in body is a forbidden property`;
      verdict.add({ kind: 'invalid', path, message, value: name });
    } else if (values !== undefined) verdict.merge(judge(values, value, { path: `${path}.${name}`, old: oldOf(name) }));
  }
  for (const [name, property] of Object.entries(properties)) {
    const value = getOwn(object, name);
    if (value !== undefined)
      verdict.merge(judge(property, value, { path: path === '' ? name : `${path}.${name}`, old: oldOf(name) }));
  }
  for (const name of required) {
    if (Object.hasOwn(object, name)) continue;
    verdict.add({ kind: 'required', path: `${path}.${name}`, message: `${path}.${name} in body is required` });
  }
  return verdict;
}
