import type { JsonObject } from '../../../src/api/json/json.ts';
import { ownedByServer } from './answer.ts';
import { mutated } from './case.ts';

/** The namespace of the samples. */
export const namespace = 'recorded-validation';

/** `/apis/apps/v1/namespaces/NAMESPACE/deployments` for `apps/v1/deployments`. */
export function collectionPath(resource: string, clusterScoped: boolean): string {
  const parts = resource.split('/');
  const plural = parts.pop() ?? '';
  const root = parts.length === 1 ? `/api/${parts[0]}` : `/apis/${parts.join('/')}`;
  return clusterScoped ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

/** A stored object in the form of a create. */
export function withoutServerFields(stored: JsonObject, fields: readonly string[] = []): JsonObject {
  const removals = [...[...ownedByServer, 'generation'].map((name) => `metadata.${name}`), ...fields];
  return mutated(stored, Object.fromEntries(removals.map((path) => [path, undefined])));
}
