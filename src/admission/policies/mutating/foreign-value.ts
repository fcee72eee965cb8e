import { goQuote } from '../../../api/go-quote.ts';
import { plainError } from '../../../api/status-errors.ts';
import { civilTime } from '../../../cel/values/civil-time.ts';
import { findIn, isList, isMap, itemAt, itemsOf, keysOf } from '../../../cel/values/collections.ts';
import { ConstructedMessage, ConstructedObject } from '../../../cel/values/constructed.ts';
import { goValueName } from '../../../cel/values/go-value-names.ts';
import { valueText } from '../../../cel/values/texts.ts';
import type { ForeignJsonError } from '../../../cel/values/to-json.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isInt,
  LibraryValue,
  Optional,
  StoredTime,
  Timestamp,
  Uint,
  type Value,
} from '../../../cel/values/value.ts';
import { wrappedTypeName } from '../../../cel/values/wrapped-types.ts';
import { type MergeType, typeAt } from '../../../fieldmanagement/merge-type.ts';
import { fieldElement, formatPath, indexElement, type PathElement } from '../../../fieldmanagement/path-element.ts';

/* The reference looks at the types of a configuration that already is an object in Go, and prints what does not fit. */

/**
 * What is wrong with the configuration `root` of this type, which contains a value that is no JSON. Throws the
 * StatusError for what fits, but cannot be written.
 */
export function foreignProblem(type: MergeType, root: Value, { value: foreign, steps, why }: ForeignJsonError): string {
  let at = type;
  let value = root;
  const path: PathElement[] = [];
  for (const step of steps) {
    const isIndex = typeof step === 'number';
    if (isIndex ? at.list === undefined : at.map === undefined) return `${formatPath(path)}: ${misfit(at, value)}`;
    path.push(isIndex ? indexElement(step) : fieldElement(step));
    const next = isIndex ? at.list?.element : at.map && typeAt(at.map, step);
    if (next === undefined) return `${formatPath(path)}: field not declared in schema`;
    at = next;
    value = within(value, step);
  }
  return `${formatPath(path)}: ${why === undefined ? misfit(at, foreign) : misfit(at, new CelError(why))}`;
}

function within(value: Value, step: string | number): Value {
  if (value instanceof Optional) return within(value.value ?? null, step);
  if (value instanceof ConstructedObject) return value.fields.get(String(step)) ?? null;
  if (typeof step === 'number') return isList(value) ? itemAt(value, step) : null;
  return isMap(value) ? (findIn(value, step) ?? null) : null;
}

function misfit({ map, scalar }: MergeType, value: Value): string {
  const pointer = `got &{${plainText(value)}}`;
  if (value instanceof Double && (scalar === 'numeric' || scalar === 'untyped')) {
    throw plainError(`json: unsupported value: ${plainText(value)}`);
  }
  if (map !== undefined) return `expected map, ${pointer}`;
  switch (scalar) {
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${syntaxOf(value)}}`;
    case 'numeric':
      return `expected numeric (int or float), got ${typeOf(value)}`;
    case 'boolean':
      return `expected boolean, ${pointer}`;
    case 'untyped':
      return `expected any scalar, ${pointer}`;
    default:
      return `expected list, ${pointer}`;
  }
}

/** Values that can only be called do not tell what they hold. */
function isOpaque(value: Value): boolean {
  return (
    value instanceof LibraryValue && wrappedTypeName(value.goType) === undefined && !value.goType.startsWith('cel.')
  );
}

function typeOf(value: Value): string {
  return isOpaque(value) || value instanceof CelError ? '*types.Err' : goValueName(value);
}

/** Go's `%v` of what a value holds. */
function plainText(value: Value): string {
  if (value === null) return 'NULL_VALUE';
  if (value instanceof StoredTime) return value.written;
  if (isOpaque(value)) return 'no such overload';
  if (value instanceof ConstructedMessage) return '';
  if (isList(value)) return `[${[...itemsOf(value)].map(plainText).join(' ')}]`;
  const members = membersOf(value);
  if (members === undefined) return valueText(value);
  return `map[${members.map(([key, member]) => `${valueText(key)}:${plainText(member)}`).join(' ')}]`;
}

/** In the order in which Go prints them; undefined for values without members. */
function membersOf(value: Value): readonly (readonly [key: Value, member: Value])[] | undefined {
  const members = isMap(value)
    ? keysOf(value).map((key) => [key, findIn(value, key) ?? null] as const)
    : value instanceof ConstructedObject
      ? [...value.fields]
      : undefined;
  return members?.toSorted(([a], [b]) => (valueText(a) < valueText(b) ? -1 : 1));
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** Go's `%#v` of it; the addresses of pointers are not known. `isInner`: values in literals are not converted. */
function syntaxOf(value: Value, isInner = false): string {
  if (value === null) return '0';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean' || isInt(value) || value instanceof Double) return plainText(value);
  if (isBytes(value)) return `[]uint8{${Array.from(value, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
  if (value instanceof Uint) return `0x${value.value.toString(16)}`;
  if (value instanceof Duration) return String(value.nanos);
  if (value instanceof StoredTime) return goQuote(value.written);
  if (value instanceof Timestamp) return dateSyntax(value);
  if (isList(value)) {
    const items = [...itemsOf(value)].map((item) => syntaxOf(item, true));
    return `${isInner ? '[]ref.Val' : '[]interface {}'}{${items.join(', ')}}`;
  }
  const members = membersOf(value)?.map(([key, member]) => `${syntaxOf(key)}:${syntaxOf(member, true)}`);
  if (members === undefined) return `(${typeOf(value)})(0xc000000000)`;
  const isNative = !isInner || value instanceof ConstructedObject;
  return `${isNative ? 'map[string]interface {}' : 'map[ref.Val]ref.Val'}{${members.join(', ')}}`;
}

function dateSyntax({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const local = civilTime(seconds + offsetMinutes * 60);
  const day = `${local.year}, time.${months[local.month] ?? ''}, ${local.day}`;
  const time = `${local.hours}, ${local.minutes}, ${local.seconds}, ${nanos}`;
  return `time.Date(${day}, ${time}, ${offsetMinutes === 0 ? 'time.UTC' : 'time.Location("")'})`;
}
