import { goQuote } from '../api/go-quote.ts';
import { isJsonObject, type JsonValue } from '../api/json.ts';
import { sortedKeys } from '../api/json-text.ts';

// How Go prints decoded YAML, in which every number is a double; messages about apply patches contain it.

/** `%v`: `map[a:1 b:[x <nil>]]`, 1000000 as `1e+06`. */
export function goFloatPrint(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goFloatPrint).join(' ')}]`;
  if (isJsonObject(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${goFloatPrint(value[key] ?? null)}`)
      .join(' ')}]`;
  }
  return typeof value === 'number' || typeof value === 'bigint' ? goFloat(Number(value)) : String(value);
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isJsonObject(value)) {
    const members = sortedKeys(value).map((key) => `${goQuote(key)}:${goSyntax(value[key] ?? null)}`);
    return `map[string]interface {}{${members.join(', ')}}`;
  }
  return typeof value === 'number' || typeof value === 'bigint' ? goFloat(Number(value)) : String(value);
}

/** A double in its shortest digits, with an exponent of two digits or more below 1e-4 and from a million on. */
export function goFloat(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  const scientific = value.toExponential();
  const exponent = Number(scientific.slice(scientific.indexOf('e') + 1));
  if (exponent >= -4 && exponent < 6) return String(value);
  return scientific.replace(/e([+-])(\d)$/, 'e$10$2');
}
