import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';

/** Where two values differ: `path: expected | actual`, at most so many lines. */
export function differences(expected: JsonValue, actual: JsonValue, most = 12): readonly string[] {
  return [...walk('', expected, actual)].slice(0, most);
}

function* walk(path: string, expected: JsonValue | undefined, actual: JsonValue | undefined): Generator<string> {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      yield* walk(`${path}.${key}`, expected[key], actual[key]);
    }
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let at = 0; at < Math.max(expected.length, actual.length); at += 1) {
      yield* walk(`${path}[${at}]`, expected[at], actual[at]);
    }
  } else if (JSON.stringify(expected) !== JSON.stringify(actual)) {
    yield `${path}: ${shown(expected)} | ${shown(actual)}`;
  }
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? '(none)' : JSON.stringify(value);
  return text.length > 700 ? `${text.slice(0, 700)}...` : text;
}
