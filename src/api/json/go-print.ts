import { goQuote } from '../go/go-quote.ts';
import { GoValue, isNotedNil } from './go-value.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import { joinNested } from '../text/join-nested.ts';
import { sortedKeys } from './json-text.ts';
import { spellingOf } from './spelled-numbers.ts';

// JSON-shaped data as printed by Go's fmt package; some messages contain it.

/** `%v`: `map[a:1 b:[x <nil>]]`. */
export function goPrint(value: JsonValue): string {
  return print(value, scalarText);
}

/** `%s`, which is meant for strings: scalars of other types print as `%!s(int64=5)`. */
export function goPrintAsText(value: JsonValue): string {
  return value === null ? '%!s(<nil>)' : print(value, markedText);
}

/** The Go type of decoded JSON: `map[string]interface {}`, `int64`; null has none. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)';
  if (value instanceof GoValue) return value.type;
  if (isJsonObject(value)) return 'map[string]interface {}';
  return Array.isArray(value) ? '[]interface {}' : goKindOf(value);
}

/** The kind of the Go type: `map`, `slice`, `string`, `int64`, `float64`, `bool`; null has none. */
export function goKindOf(value: JsonValue): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'object':
      return 'map';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'int64' : 'float64';
  }
}

type Scalar = Exclude<JsonValue, null | object>;

function print(root: JsonValue, scalar: (value: Scalar) => string): string {
  return joinNested<JsonValue>(root, (value) => {
    if (value === null) return ['<nil>'];
    if (typeof value !== 'object') return [scalar(value)];
    if (value instanceof GoValue) return [value.text];
    if (Array.isArray(value)) return ['[', ...value.flatMap((item, i) => [separator(i, ' '), { inner: item }]), ']'];
    const members = sortedKeys(value).flatMap((key, i) => [
      `${separator(i, ' ')}${key}:`,
      { inner: value[key] ?? null },
    ]);
    return ['map[', ...members, ']'];
  });
}

function separator(index: number, text: string): string {
  return index === 0 ? '' : text;
}

function scalarText(value: Scalar): string {
  const spelled = spellingOf(value);
  if (spelled !== undefined) return floatText(Number(spelled));
  return typeof value === 'number' && (value === 0 || !Number.isSafeInteger(value)) ? floatText(value) : String(value);
}

function markedText(value: Scalar): string {
  return typeof value === 'string' ? value : `%!s(${goKindOf(value)}=${scalarText(value)})`;
}

/** `%v` of a double: the shortest digits, with an exponent of at least two digits below 1e-4 and from 1e6 on. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e6) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(root: JsonValue): string {
  return joinNested<JsonValue>(root, (value) => {
    if (value === null) return ['interface {}(nil)'];
    if (typeof value === 'string') return [goQuote(value)];
    if (Array.isArray(value)) {
      if (isNotedNil(value)) return ['[]interface {}(nil)'];
      return ['[]interface {}{', ...value.flatMap((item, i) => [separator(i, ', '), { inner: item }]), '}'];
    }
    if (!isJsonObject(value)) return [scalarText(value)];
    if (value instanceof GoValue) return [value.syntax];
    const members = sortedKeys(value).flatMap((key, i) => [
      `${separator(i, ', ')}${goQuote(key)}:`,
      { inner: value[key] ?? null },
    ]);
    return ['map[string]interface {}{', ...members, '}'];
  });
}
