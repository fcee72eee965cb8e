import { applyMediaType } from '../patch/apply-patch.ts';
import type { Resource } from '../schema/resource.ts';
import { byName, type PathOperation, type PathEntry } from './operation.ts';
import { getParameters, listParameters } from './parameters.ts';
import { resourcePaths } from './resource-paths.ts';

const textTypes = ['application/json', 'application/yaml'];
const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', applyMediaType];

/**
 * The paths of a custom kind, which the reference builds in other code than those of built-in kinds, with small
 * differences.
 */
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
  const shown: PathOperation = {
    ...operation,
    consumes: method === 'patch' ? patchTypes : textTypes,
    produces: textTypes,
    kind: { group, version, kind },
  };
  if (action === 'get') return { ...shown, parameters: [...operation.parameters, ...getParameters()].toSorted(byName) };
  if (action === 'deletecollection') return deleteCollection(shown);
  // Their PATCH has no 201 response.
  return method === 'patch' ? { ...shown, responses: shown.responses.filter(({ code }) => code !== 201) } : shown;
}

/** Has the parameters of a list, and no body. */
function deleteCollection(shown: PathOperation): PathOperation {
  const { body: _, ...operation } = shown;
  const own = operation.parameters.filter(({ in: place, name }) => place === 'path' || name === 'pretty');
  return { ...operation, parameters: [...own, ...listParameters()].toSorted(byName) };
}
