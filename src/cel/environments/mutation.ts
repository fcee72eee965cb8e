import { jsonPatchLibrary } from '../libraries/json-patches.ts';
import { type CelType, structType, types } from '../types/cel-type.ts';
import { ConstructedObject } from '../values/constructed.ts';
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
  construct: (fields) => new ConstructedObject(jsonPatchType, fields),
};

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
