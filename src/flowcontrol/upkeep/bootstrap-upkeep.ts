import { isDeepStrictEqual } from 'node:util';
import type { Client, Collection } from '../../api/client/client.ts';
import { copyJson } from '../../api/json/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/meta/object.ts';
import { isReason } from '../../api/errors/status.ts';
import { bootstrapFlowSchemas } from '../bootstrap/bootstrap-flow-schemas.ts';
import { bootstrapPriorityLevels } from '../bootstrap/bootstrap-priority-levels.ts';
import { autoUpdateAnnotation, type FlowConfiguration } from '../bootstrap/flow-configuration.ts';
import { flowSchemas, priorityLevels } from './collections.ts';
import type { StoredConfiguration } from './followed-configuration.ts';

export const producerManager = 'api-priority-and-fairness-config-producer-v1';

/**
 * Creates the bootstrap objects that are missing, restores the specs of those that nobody has taken over, and deletes
 * those of earlier releases:
 *
 * | object    | annotation autoupdate-spec | spec                                            |
 * |-----------|----------------------------|-------------------------------------------------|
 * | mandatory | any                        | is restored, and the annotation set to `true`   |
 * | suggested | `true`                     | is restored                                     |
 * | suggested | `false`                    | is left alone                                   |
 * | suggested | another or none            | is restored if it has never been changed        |
 * | other     | `true`                     | the object is deleted                           |
 */
export async function keepBootstrapObjects(client: Client, stored: StoredConfiguration): Promise<void> {
  // Levels first: no schema is to refer to one that does not exist yet.
  const levelPart = { client, collection: priorityLevels, wanted: bootstrapPriorityLevels, stored: stored.levels };
  const schemaPart = { client, collection: flowSchemas, wanted: bootstrapFlowSchemas, stored: stored.schemas };
  await keepAll(levelPart);
  await keepAll(schemaPart);
  await removeObsolete(schemaPart);
  await removeObsolete(levelPart);
}

interface KeptObjects {
  readonly client: Client;
  readonly collection: Collection;
  readonly wanted: readonly FlowConfiguration[];
  readonly stored: readonly KubernetesObject[];
}

async function keepAll({ client, collection, wanted, stored: items }: KeptObjects): Promise<void> {
  const existing = new Map(items.map((object) => [object.metadata.name, object]));
  await Promise.all(
    wanted.map(async (configuration) => {
      const current = existing.get(configuration.object.metadata.name);
      if (current === undefined) return create(client, collection, configuration.object);
      const revised = revisionOf(current, configuration);
      if (revised !== undefined) await write(client, collection, revised);
    }),
  );
}

async function create(client: Client, collection: Collection, object: KubernetesObject): Promise<void> {
  try {
    await client.create(collection, cloneObject(object));
  } catch (error) {
    // Created by another server of the store.
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

async function write(client: Client, collection: Collection, object: KubernetesObject): Promise<void> {
  try {
    await client.write(collection, object);
  } catch (error) {
    // Whoever changes it meanwhile causes another look at it.
    if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
  }
}

/** The object as it should be; undefined if it is. */
export function revisionOf(
  current: KubernetesObject,
  { object: wanted, isMandatory }: FlowConfiguration,
): KubernetesObject | undefined {
  const keepsSpec = isMandatory || isAutoUpdated(current);
  const isAnnotated = booleanOf(annotationOf(current)) === keepsSpec;
  const isChanged = keepsSpec && !isDeepStrictEqual(current['spec'], wanted['spec']);
  if (isAnnotated && !isChanged) return undefined;
  const revised = cloneObject(current);
  if (isChanged) revised['spec'] = copyJson(wanted['spec'] ?? {});
  if (!isAnnotated) {
    revised.metadata.annotations = { ...revised.metadata.annotations, [autoUpdateAnnotation]: String(keepsSpec) };
  }
  return revised;
}

/** Where nobody has said so, an object that has never been changed. */
function isAutoUpdated(object: KubernetesObject): boolean {
  return booleanOf(annotationOf(object)) ?? Number(object.metadata.generation) === 1;
}

function annotationOf({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[autoUpdateAnnotation] ?? '';
}

const booleans: Readonly<Record<string, readonly string[]>> = {
  true: ['1', 't', 'T', 'TRUE', 'true', 'True'],
  false: ['0', 'f', 'F', 'FALSE', 'false', 'False'],
};

function booleanOf(text: string): boolean | undefined {
  if (booleans['true']?.includes(text) === true) return true;
  return booleans['false']?.includes(text) === true ? false : undefined;
}

async function removeObsolete({ client, collection, wanted, stored }: KeptObjects): Promise<void> {
  const names = new Set(wanted.map(({ object }) => object.metadata.name));
  const obsolete = stored.filter(
    (object) => !names.has(object.metadata.name) && booleanOf(annotationOf(object)) === true,
  );
  for (const { metadata } of obsolete) {
    try {
      await client.delete({ ...collection, name: metadata.name ?? '' });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
