import { type FieldErrors, invalidField } from '../api/errors/field-error.ts';
import { floatText, goPrint, goTypeOf } from '../api/json/go-print.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { isNotedFloat } from '../api/json/written-notes.ts';
import type { ScalePaths } from '../registry/kinds/strategy.ts';

// The values that the scale paths point at must have the types of the Scale kind.

const maxReplicas = 2_147_483_647;

export function specReplicas(object: JsonObject, { specReplicas: path }: ScalePaths): FieldErrors {
  return replicas(object, path);
}

export function* statusScale(object: JsonObject, { statusReplicas, selector }: ScalePaths): FieldErrors {
  yield* replicas(object, statusReplicas);
  if (selector === undefined) return;
  const problem = textProblem(selector, atPath(object, selector));
  if (problem !== undefined) yield invalidField(selector, '', problem);
}

/** Why the scale of an object cannot be read, as the reference puts it. */
export function unreadableScale(
  object: JsonObject,
  { specReplicas, statusReplicas, selector }: Omit<ScalePaths, 'problemIn'>,
): string | undefined {
  const numbers = [specReplicas, statusReplicas].map((path) => numberProblem(path, atPath(object, path)));
  const text = selector === undefined ? undefined : textProblem(selector, atPath(object, selector));
  return [...numbers, text].find((problem) => problem !== undefined);
}

function numberProblem(path: string, value: Found): string | undefined {
  const { found = 0, problem } = value;
  if (problem !== undefined) return problem;
  const isNumber = (typeof found === 'number' || typeof found === 'bigint') && !isFloat(value);
  return isNumber ? undefined : wrongType(path, value, 'int64');
}

function textProblem(path: string, value: Found): string | undefined {
  const { found = '', problem } = value;
  return problem ?? (typeof found === 'string' ? undefined : wrongType(path, value, 'string'));
}

function* replicas(object: JsonObject, path: string): FieldErrors {
  const value = atPath(object, path);
  const problem = numberProblem(path, value);
  const found = typeof value.found === 'bigint' ? value.found : Number(value.found ?? 0);
  if (problem !== undefined) yield invalidField(path, 0, problem);
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
