import { applyMediaType } from '../patch/apply-patch.ts';
import type { Resource } from '../schema/resource.ts';
import { byName, type PathOperation, type PathEntry } from './operation.ts';
import { getParameters, listParameters } from './parameters.ts';
import { resourcePaths } from './resource-paths.ts';

const textTypes = ['application/json', 'application/yaml'];
const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', applyMediaType];

/** The paths of a custom kind: told like those of others, by another part of the reference. */
export function customPaths(resource: Resource): PathEntry[] {
  return resourcePaths(resource, undefined)
    .filter(({ operations }) => !operations.some(({ action = '' }) => action.startsWith('watch')))
    .map((entry) => ({
      ...entry,
      operations: entry.operations.map((operation) => customOperation(resource, operation)),
    }));
}

function customOperation({ group, version, kind }: Resource, operation: PathOperation): PathOperation {
  const { action, method } = operation;
  const told: PathOperation = {
    ...operation,
    consumes: method === 'patch' ? patchTypes : textTypes,
    produces: textTypes,
    kind: { group, version, kind },
  };
  if (action === 'get') return { ...told, parameters: [...operation.parameters, ...getParameters()].toSorted(byName) };
  if (action === 'deletecollection') return deleteCollection(told);
  // A patch of theirs is not told to create.
  return method === 'patch' ? { ...told, responses: told.responses.filter(({ code }) => code !== 201) } : told;
}

/** Its options are said to be those of lists, and its body is not told. */
function deleteCollection(told: PathOperation): PathOperation {
  const { body: _, ...operation } = told;
  const own = operation.parameters.filter(({ in: place, name }) => place === 'path' || name === 'pretty');
  return { ...operation, parameters: [...own, ...listParameters()].toSorted(byName) };
}
