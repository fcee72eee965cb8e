import { type FieldErrors, invalidField } from '../api/field-error.ts';
import { goPrint, goTypeOf } from '../api/go-print.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
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
    yield invalidField(selector, '', wrongType(selector, value.found, 'string'));
  }
}

function* replicas(object: JsonObject, path: string): FieldErrors {
  const { found = 0, problem } = atPath(object, path);
  if (problem !== undefined) yield invalidField(path, 0, problem);
  else if (typeof found !== 'bigint' && !(typeof found === 'number' && Number.isInteger(found)))
    yield invalidField(path, 0, wrongType(path, found, 'int64'));
  else if (found < 0) yield invalidField(path, found, 'should be a non-negative integer');
  else if (found > maxReplicas) yield invalidField(path, found, `should be less than or equal to ${maxReplicas}`);
}

interface Found {
  readonly found?: JsonValue | undefined;
  /** Why the value cannot be used. */
  readonly problem?: string;
}

function atPath(object: JsonObject, path: string): Found {
  const names = path.replace(/^\./, '').split('.');
  let value: JsonValue = object;
  for (const [index, name] of names.entries()) {
    if (value === null) return {};
    if (!isJsonObject(value)) {
      return { problem: wrongType(`.${names.slice(0, index + 1).join('.')}`, value, 'map[string]interface{}') };
    }
    const next: JsonValue | undefined = getOwn(value, name);
    if (next === undefined) return {};
    value = next;
  }
  return { found: value };
}

function wrongType(path: string, value: JsonValue, wanted: string): string {
  return `${path.startsWith('.') ? path : `.${path}`} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`;
}
