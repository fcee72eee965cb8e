import { type CelType, listType, mapType, structType, types } from '../types/cel-type.ts';
import type { Environment } from './environment.ts';

const typeName = 'kubernetes.variables';

/** The type of the variable `variables`: the named expressions of a policy. */
export const variablesType = structType(typeName);

/**
 * With the variable `variables`, whose fields have these types, including those added to `fields` later. `pausing` are
 * those whose programs may pause.
 */
export function withVariables(
  base: Environment,
  fields: ReadonlyMap<string, CelType>,
  pausing?: ReadonlySet<string>,
): Environment {
  const declared = { name: typeName, fields, ...(pausing && { pausing }) };
  return base.with([['variables', variablesType]], [declared]);
}

const declared: ReadonlySet<CelType['kind']> = new Set<CelType['kind']>([
  'any',
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
] as const);

/** The declared type of a named expression: anything but scalars, lists and maps is dynamic. */
export function variableType(type: CelType): CelType {
  const [first = types.dyn, second = types.dyn] = type.params;
  if (type.kind === 'list') return listType(variableType(first));
  if (type.kind === 'map') return mapType(variableType(first), variableType(second));
  return declared.has(type.kind) && type.isNullable !== true ? type : types.dyn;
}
