import { LibraryValue, Duration, isBytes, Timestamp, Uint, type Value } from '../../../cel/values/value.ts';
import { ConstructedMessage } from '../../../cel/values/constructed.ts';
import { findIn, isMap, keysOf } from '../../../cel/values/collections.ts';
import { goValueName } from '../../../cel/values/go-value-names.ts';
import { valueText } from '../../../cel/values/texts.ts';
import type { ForeignJsonError } from '../../../cel/values/to-json.ts';
import { wrappedTypeName } from '../../../cel/values/wrapped-types.ts';
import { type MergeType, typeAt } from '../../../fieldmanagement/merge-type.ts';
import { fieldElement, formatPath, indexElement, type PathElement } from '../../../fieldmanagement/path-element.ts';

/* The reference looks at the types of a configuration that already is an object in Go, and prints what does not fit. */

/** What is wrong with a value that is no JSON, in a configuration of this type; undefined if its place has no type. */
export function foreignProblem(type: MergeType, { value, steps }: ForeignJsonError): string | undefined {
  let at: MergeType | undefined = type;
  const path: PathElement[] = [];
  for (const step of steps) {
    const isIndex = typeof step === 'number';
    at = isIndex ? at.list?.element : at.map && typeAt(at.map, step);
    if (at === undefined) return undefined;
    path.push(isIndex ? indexElement(step) : fieldElement(step));
  }
  return `${formatPath(path)}: ${misfit(at, value)}`;
}

function misfit({ map, scalar }: MergeType, value: Value): string {
  const pointer = `got &{${plainText(value)}}`;
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
  return isOpaque(value) ? '*types.Err' : goValueName(value);
}

/** Go's `%v` of what a value holds. */
function plainText(value: Value): string {
  if (isOpaque(value)) return 'no such overload';
  if (value instanceof ConstructedMessage) return '';
  if (!isMap(value)) return valueText(value).replaceAll(', ', ' ');
  return `map[${keysOf(value)
    .map((key) => `${valueText(key)}:${valueText(findIn(value, key) ?? null)}`)
    .join(' ')}]`;
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** Go's `%#v` of it; the addresses of pointers are not known. */
function syntaxOf(value: Value): string {
  if (isBytes(value)) return `[]uint8{${Array.from(value, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
  if (value instanceof Uint) return `0x${value.value.toString(16)}`;
  if (value instanceof Duration) return String(value.nanos);
  return value instanceof Timestamp ? dateSyntax(value) : `(${typeOf(value)})(0xc000000000)`;
}

function dateSyntax({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const date = new Date((seconds + offsetMinutes * 60) * 1000);
  const day = `${date.getUTCFullYear()}, time.${months[date.getUTCMonth()] ?? ''}, ${date.getUTCDate()}`;
  const time = `${date.getUTCHours()}, ${date.getUTCMinutes()}, ${date.getUTCSeconds()}, ${nanos}`;
  return `time.Date(${day}, ${time}, ${offsetMinutes === 0 ? 'time.UTC' : 'time.Location("")'})`;
}
