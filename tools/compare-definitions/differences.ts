import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { type WriteResponse, causesOf, ownedByServer } from '../../test/recorded/validation/answer.ts';

/** The contents of a response, without what differs between servers. */
export function shownResponse({ code, body, warnings: all }: WriteResponse): JsonValue {
  const warnings = [...all];
  if (code < 300) return { code, warnings, body: withoutServer(body) };
  const causes = causesOf(body).map((cause) =>
    cause
      .join(' | ')
      .replaceAll('[]', 'null')
      .replace(/selfType\d+/g, 'selfType'),
  );
  const { reason = '', message = '' } = body;
  // Errors of several properties are unordered, and so are the parts of a message.
  return { code, warnings, ...(causes.length > 0 ? { causes: causes.toSorted() } : { reason, message }) };
}

function withoutServer({ metadata, ...object }: JsonObject): JsonObject {
  const kept = Object.entries(isJsonObject(metadata) ? metadata : {}).filter(([name]) => !ownedByServer.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** A value without the fields of these names, at any depth. */
export function without(value: JsonValue, names: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !names.includes(name) || isJsonObject(inner));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
}

/** The places where two values differ, with both values. */
export function* differences(a: JsonValue | undefined, b: JsonValue | undefined, path = ''): Generator<string> {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
      yield* differences(a[index], b[index], `${path}[${index}]`);
    }
  } else if (a !== undefined && b !== undefined && isJsonObject(a) && isJsonObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      yield* differences(a[name], b[name], `${path}.${name}`);
    }
  } else if (a !== b) yield `${path}: ${shown(a, b)} here ${shown(b, a)}`;
}

/** Starts shortly before the first difference. */
function shown(value: JsonValue | undefined, other: JsonValue | undefined): string {
  const [text, otherText] = [value, other].map((each) => JSON.stringify(each) ?? 'nothing');
  const [all = '', rest = ''] = [text, otherText];
  const at = [...all].findIndex((char, index) => char !== rest[index]);
  return all.length <= 600 ? all : `... ${all.slice(Math.max(0, at - 200), at + 400)} ...`;
}
