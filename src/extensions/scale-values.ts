import { type FieldErrors, invalidField } from '../api/field-error.ts';
import { floatText, goPrint, goTypeOf } from '../api/go-print.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { isNotedFloat } from '../api/written-notes.ts';
import type { ScalePaths } from '../registry/strategy.ts';

// The values that the scale paths point at must have the types of the Scale kind.

const maxReplicas = 2_147_483_647;

export function specReplicas(object: JsonObject, { specReplicas: path }: ScalePaths): FieldErrors {
  return replicas(object, path);
}

export function* statusScale(object: JsonObject, { statusReplicas, selector }: ScalePaths): FieldErrors {
  yield* replicas(object, statusReplicas);
  if (selector === undefined) return;
  const value = atPath(object, selector);
  if (typeof value.problem === 'string') yield invalidField(selector, '', value.problem);
  else if (value.found !== undefined && typeof value.found !== 'string') {
    yield invalidField(selector, '', wrongType(selector, value, 'string'));
  }
}

function* replicas(object: JsonObject, path: string): FieldErrors {
  const value = atPath(object, path);
  const { found = 0, problem } = value;
  if (problem !== undefined) yield invalidField(path, 0, problem);
  else if ((typeof found !== 'number' && typeof found !== 'bigint') || isFloat(value))
    yield invalidField(path, 0, wrongType(path, value, 'int64'));
  else if (found < 0) yield invalidField(path, found, 'should be a non-negative integer');
  else if (found > maxReplicas) yield invalidField(path, found, `should be less than or equal to ${maxReplicas}`);
}

interface Found {
  readonly found?: JsonValue | undefined;
  /** It was written as a float, although it is whole. */
  readonly isNoted?: boolean;
  /** Why the value cannot be used. */
  readonly problem?: string;
}

function atPath(object: JsonObject, path: string): Found {
  const names = path.replace(/^\./, '').split('.');
  let value: JsonValue = object;
  let isNoted = false;
  for (const [index, name] of names.entries()) {
    if (value === null) return {};
    if (!isJsonObject(value)) {
      const at = `.${names.slice(0, index + 1).join('.')}`;
      return { problem: wrongType(at, { found: value, isNoted }, 'map[string]interface{}') };
    }
    const next: JsonValue | undefined = getOwn(value, name);
    if (next === undefined) return {};
    isNoted = isNotedFloat(value, name);
    value = next;
  }
  return { found: value, isNoted };
}

function isFloat({ found, isNoted }: Found): boolean {
  return typeof found === 'number' && (isNoted === true || !Number.isSafeInteger(found));
}

function wrongType(path: string, value: Found, wanted: string): string {
  const { found = null } = value;
  const [text, type] = isFloat(value) ? [floatText(Number(found)), 'float64'] : [goPrint(found), goTypeOf(found)];
  return `${path.startsWith('.') ? path : `.${path}`} accessor error: ${text} is of the type ${type}, expected ${wanted}`;
}
