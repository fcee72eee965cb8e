import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';

const placeholder = /\{\{([^|{}]+)\|([^{}]+)\}\}/g;

/** Bodies of answers by step. */
export type Bodies = ReadonlyMap<string, JsonValue>;

/** A text with fields of earlier answers in place of `{{STEP|path.of.field}}`. */
export function filledText(text: string, bodies: Bodies): string {
  return text.replace(placeholder, (_, step: string, path: string) => stringValue(fieldOf(bodies, step, path)));
}

/** Fills placeholders within data; a text that is nothing else becomes the field itself. */
export function filled(value: unknown, bodies: Bodies): unknown {
  if (typeof value === 'string') {
    const [whole, step, path] = new RegExp(`^${placeholder.source}$`).exec(value) ?? [];
    return whole === undefined ? filledText(value, bodies) : fieldOf(bodies, step ?? '', path ?? '');
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, bodies));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, bodies)]));
}

/** Undefined if that answer has no such field: the next answer will show it. */
function fieldOf(bodies: Bodies, step: string, path: string): JsonValue | undefined {
  if (!bodies.has(step)) throw new Error(`no step ${step}`);
  let value: JsonValue | undefined = bodies.get(step);
  for (const key of path === '.' ? [] : path.split('.')) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) ? value[key] : undefined;
  }
  return value;
}

function stringValue(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
