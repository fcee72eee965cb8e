import { jsonPatchLibrary } from '../libraries/json-patches.ts';
import { type CelType, declaredText, structType, types } from '../types/cel-type.ts';
import { ConstructedObject, ConstructedPatch, isTextField } from '../values/constructed.ts';
import { goValueName } from '../values/go-value-names.ts';
import { CelError, Optional, TypeValue, type Value } from '../values/value.ts';
import type { Environment } from './environment.ts';
import type { ConstructibleType } from './message-types.ts';

export const objectType = structType('Object');
export const jsonPatchType = structType('JSONPatch');

const { dyn, string } = types;
const patchFields: ReadonlyMap<string, CelType> = new Map(
  Object.entries({ op: string, path: string, from: string, value: dyn }),
);

const jsonPatch: ConstructibleType = {
  type: jsonPatchType,
  // Nothing is assignable to fields that do not exist.
  fieldType: (name) => patchFields.get(name) ?? structType(''),
  construct: patchOf,
};

function patchOf(fields: ReadonlyMap<string, Value>): Value {
  const values = new Map<string, Value>();
  for (const [name, value] of fields) {
    if (!patchFields.has(name)) return new CelError(`unexpected JSONPatchType field: ${name}`);
    const text = isTextField(name) ? printedType(value) : value;
    if (text === undefined) {
      return new CelError(`unexpected type ${goValueName(value)} for JSONPatchType '${name}' field`);
    }
    values.set(name, text);
  }
  return new ConstructedPatch(jsonPatchType, values);
}

/** An optional is what it holds, and a type is its name. */
function printedType(value: Value): string | undefined {
  if (value instanceof Optional) return value.value === undefined ? undefined : printedType(value.value);
  if (value instanceof TypeValue) return declaredText(value.named);
  return typeof value === 'string' ? value : undefined;
}

/** `Object`, `Object.spec`, `Object.spec.template` ...: any field is of any type. */
function partOfObject(name: string): ConstructibleType | undefined {
  if (name !== objectType.name && !name.startsWith(`${objectType.name}.`)) return undefined;
  const type = structType(name);
  return { type, fieldType: () => dyn, construct: (fields) => new ConstructedObject(type, fields) };
}

/** The environment with what mutations are written in: `Object{...}`, `JSONPatch{...}` and `jsonpatch.escapeKey`. */
export function mutationEnvironment(environment: Environment): Environment {
  return environment
    .withLibrary(jsonPatchLibrary)
    .withTypes((name) => (name === jsonPatchType.name ? jsonPatch : partOfObject(name)));
}
