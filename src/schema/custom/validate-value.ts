import type { FieldError } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { encodeAny } from '../../api/json/json-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { isNotedFloat } from '../../api/json/written-notes.ts';
import type { Schema, ValueConstraints } from '../schema.ts';
import { type Former, formerField, formerItem, isUnchanged, sameJson } from './former-value.ts';
import { hasFormat } from './text-formats.ts';
import { countVerdict, numberVerdict, shownFloat, sizeVerdict, textVerdict } from './value-constraints.ts';
import { problemError, type ValueProblem, Verdict } from './value-problems.ts';

/*
 * Validates a custom resource value against its schema. All applicable checks run, in this order:
 *
 * | check | applies to |
 * |---|---|
 * | type and format | schemas that have one |
 * | anyOf, oneOf, allOf, not | everything |
 * | lengths and pattern, format | strings |
 * | bounds | numbers |
 * | items | lists |
 * | enum | everything |
 * | properties | objects |
 */

/** Errors of a value at `path`. */
export function validateValue(schema: Schema, value: JsonValue, path: string): FieldError[] {
  return verdictOf(schema, value, { path: '' }).problems.map((problem) => problemError(problem, path));
}

/** Errors of a member of an object, which may be a float although it is whole. */
export function validateMember(
  schema: Schema,
  { object, key, value }: { readonly object: object; readonly key: string; readonly value: JsonValue },
  path: string,
): FieldError[] {
  const place = { path: '', isFloat: isNotedFloat(object, key) };
  return verdictOf(schema, value, place).problems.map((problem) => problemError(problem, path));
}

/** Errors of a value that replaces `old`: unchanged parts may stay invalid (ratcheting). */
export function validateChangedValue(
  schema: Schema,
  { value, old }: { readonly value: JsonValue; readonly old: JsonValue },
  path: string,
): FieldError[] {
  const place = { path: '', former: { schema, value: old } };
  return verdictOf(schema, value, place).problems.map((problem) => problemError(problem, path));
}

interface ValuePosition {
  /** Path relative to the validated value. */
  readonly path: string;
  /** The value is a floating-point number although it is whole. */
  readonly isFloat?: boolean;
  /** The old value with its schema; absent if it cannot be correlated. */
  readonly former?: Former | undefined;
}

function verdictOf(schema: Schema, value: JsonValue, place: ValuePosition): Verdict {
  const verdict = freshVerdictOf(schema, value, place);
  const { former } = place;
  const isForgiven = former !== undefined && !verdict.valid && isUnchanged(former.schema, value, former.value);
  return isForgiven ? verdict.forgiven() : verdict;
}

/** Without tolerance for the value itself. */
function freshVerdictOf({ constraints }: Schema, value: JsonValue, place: ValuePosition): Verdict {
  const verdict = new Verdict();
  if (constraints === undefined) return verdict;
  const { path } = place;
  if (value === null)
    return verdict.merge(typeVerdict(constraints, value, place), enumVerdict(constraints, value, place));
  const run = (part: Verdict): void => {
    verdict.merge(part);
    verdict.matches += 1;
  };
  if (constraints.types.length > 0 || constraints.format !== '') run(typeVerdict(constraints, value, place));
  run(alternatives(constraints, value, place));
  if (typeof value === 'string') {
    run(textVerdict(constraints, value, path));
    const sound = hasFormat(constraints.format, value);
    if (sound !== undefined) run(formatVerdict(constraints.format, value, { path, sound }));
  }
  if (typeof value === 'number' || typeof value === 'bigint') run(numberVerdict(constraints, value, place));
  if (Array.isArray(value)) run(itemsVerdict(constraints, value, place));
  run(enumVerdict(constraints, value, place));
  if (isJsonObject(value)) run(propertiesVerdict(constraints, value, place));
  verdict.matches += 1;
  return verdict;
}

function typeName(value: JsonValue, isFloat = false): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isSafeInteger(value) && !isFloat ? 'integer' : 'number';
  return typeof value;
}

function typeProblem(path: string, wanted: string, found: string): ValueProblem {
  return { kind: 'type', path, message: `${path} in body must be of type ${wanted}: ${goQuote(found)}`, value: found };
}

function typeVerdict(
  { types, format, nullable }: ValueConstraints,
  value: JsonValue,
  { path, isFloat }: ValuePosition,
): Verdict {
  const verdict = new Verdict();
  const wanted = types.join(',');
  const found = typeName(value, isFloat);
  if (value === null) {
    if (types.length > 0 && !nullable) return verdict.add(typeProblem(path, wanted, found));
    verdict.matches += 1;
    return verdict;
  }
  const isNumber = found === 'integer' || isFloat === true;
  const isRight = types.includes(found) || (isNumber && (types.includes('number') || types.includes('integer')));
  const isListed = found === 'string' || found === 'array';
  const own = formatOf(found);
  if (!isListed && format !== '' && !isRight && own !== format) return verdict.add(typeProblem(path, format, own));
  const formatDecides = isListed && format !== '' && !types.includes('number') && !types.includes('integer');
  if (!formatDecides && !isRight) return verdict.add(typeProblem(path, wanted, found));
  verdict.matches += 1;
  return verdict;
}

/** The JSON format implied by the type of a value. */
function formatOf(name: string): string {
  return name === 'integer' ? 'int64' : name === 'number' ? 'float64' : '';
}

function formatVerdict(
  format: string,
  value: string,
  { path, sound }: { readonly path: string; readonly sound: boolean },
): Verdict {
  return sound ? new Verdict() : new Verdict().add(typeProblem(path, format, value));
}

/** The reference does not compare alternatives with the old value: their errors are tolerated with the whole or not. */
function alternatives(
  { anyOf, oneOf, allOf, not }: ValueConstraints,
  value: JsonValue,
  { path, isFloat = false }: ValuePosition,
): Verdict {
  const verdict = new Verdict();
  const place: ValuePosition = { path, isFloat };
  const verdictsOf = (parts: readonly Schema[]): Verdict[] => parts.map((part) => freshVerdictOf(part, value, place));
  if (anyOf.length > 0) anyVerdict(verdictsOf(anyOf), path, verdict);
  if (oneOf.length > 0) oneVerdict(verdictsOf(oneOf), path, verdict);
  if (allOf.length > 0) {
    const parts = verdictsOf(allOf);
    const valid = parts.filter((part) => part.valid).length;
    verdict.merge(...parts);
    const none = valid === 0 ? '. None validated' : '';
    if (valid < parts.length)
      verdict.add(general(path, `${goQuote(path)} must validate all the schemas (allOf)${none}`));
  }
  if (not !== undefined && freshVerdictOf(not, value, place).valid) {
    verdict.add(general(path, `${goQuote(path)} must not validate the schema (not)`));
  }
  verdict.matches += 1;
  return verdict;
}

function general(path: string, message: string): ValueProblem {
  return { kind: 'general', path, message };
}

/** The closest alternative; the first among equals. */
function nearest(parts: readonly Verdict[]): Verdict | undefined {
  let best: Verdict | undefined;
  for (const part of parts) if (best === undefined || part.matches > best.matches) best = part;
  return best;
}

function anyVerdict(parts: readonly Verdict[], path: string, verdict: Verdict): void {
  const valid = parts.find((part) => part.valid);
  if (valid === undefined) verdict.add(general(path, `${goQuote(path)} must validate at least one schema (anyOf)`));
  const chosen = valid ?? nearest(parts);
  if (chosen !== undefined) verdict.merge(chosen);
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
  const chosen = valid.length === 0 ? nearest(parts) : undefined;
  if (chosen !== undefined) verdict.merge(chosen);
}

function itemsVerdict(
  constraints: ValueConstraints,
  items: readonly JsonValue[],
  { path, former }: ValuePosition,
): Verdict {
  const verdict = new Verdict();
  const { items: item } = constraints;
  for (const [index, value] of items.entries()) {
    if (item === undefined) break;
    const isFloat = isNotedFloat(items, index);
    verdict.merge(verdictOf(item, value, { path: `${path}[${index}]`, isFloat, former: formerItem(former, value) }));
  }
  verdict.merge(sizeVerdict(constraints, items, path));
  verdict.matches += 1;
  return verdict;
}

function enumVerdict({ enum: allowed }: ValueConstraints, value: JsonValue, { path, isFloat }: ValuePosition): Verdict {
  const verdict = new Verdict();
  if (
    allowed.length === 0 ||
    (value !== null && allowed.some((item, index) => isListed(item, value, isNotedFloat(allowed, index))))
  )
    return verdict;
  const message = `${path} in body should be one of [${allowed.map(enumText).join(' ')}]`;
  const shown = isFloat === true && typeof value === 'number' ? shownFloat(value) : value;
  return verdict.add({ kind: 'enum', path, message, value: shown, allowed });
}

/** The reference converts a value to the type of an allowed one: compared with integers, floats lose their fraction. */
function isListed(item: JsonValue, value: JsonValue, isFloat: boolean): boolean {
  if (typeof item !== 'number' || typeof value !== 'number') return sameJson(item, value);
  return item === (Number.isSafeInteger(item) && !isFloat ? Math.trunc(value) : value);
}

function enumText(item: JsonValue): string {
  return typeof item === 'string' ? item : encodeAny(item);
}

interface Others {
  readonly object: JsonObject;
  readonly properties: ValueConstraints['properties'];
  readonly others: NonNullable<ValueConstraints['others']>;
}

/** The members of an object that are no properties. Few objects have any, because unknown ones are pruned. */
function addOthers(verdict: Verdict, { object, properties, others }: Others, { path, former }: ValuePosition): void {
  for (const name in object) {
    if (properties.has(name)) continue;
    const value = object[name] as JsonValue; // an own key
    const at = `${path}.${name}`;
    if (others === 'forbidden') {
      verdict.add({ kind: 'invalid', path: at, message: `${at} in body is a forbidden property`, value: name });
    } else {
      const isFloat = isNotedFloat(object, name);
      verdict.merge(verdictOf(others, value, { path: at, isFloat, former: formerField(former, name) }));
    }
  }
}

function propertiesVerdict(
  constraints: ValueConstraints,
  object: JsonObject,
  { path, former }: ValuePosition,
): Verdict {
  const verdict = countVerdict(constraints, object, path);
  const { properties, others, required } = constraints;
  if (others !== undefined) addOthers(verdict, { object, properties, others }, { path, former });
  for (const [name, property] of properties) {
    const value = getOwn(object, name);
    if (value === undefined) continue;
    const isKind = path === '' && (name === 'kind' || name === 'apiVersion');
    const inside = isKind ? undefined : formerField(former, name);
    const isFloat = isNotedFloat(object, name);
    verdict.merge(
      verdictOf(property, value, { path: path === '' ? name : `${path}.${name}`, isFloat, former: inside }),
    );
  }
  for (const name of required) {
    if (Object.hasOwn(object, name)) continue;
    verdict.add({ kind: 'required', path: `${path}.${name}`, message: `${path}.${name} in body is required` });
  }
  return verdict;
}
