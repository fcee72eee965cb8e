import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import type { CustomResourceDefinition } from '../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { StorageVersionMigration } from '../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { isTrue, type NewCondition } from './conditions.ts';
import type { ControllerContext } from './controller-context.ts';

// The migration of custom resources in the status of their definition.

type StoredMigration = KubernetesObject & StorageVersionMigration;
type StoredDefinition = KubernetesObject & CustomResourceDefinition;

const definitions = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  namespace: '',
};
const manager = 'migration-runner-controller';
const type = 'StorageMigrating';

/** Does nothing for other kinds, which have no definition. */
export async function beginDefinitionMigration(context: ControllerContext, migration: StoredMigration): Promise<void> {
  const definition = await definitionOf(context, migration);
  if (definition === undefined) return;
  const message = `Migration ${migration.metadata.name} is running`;
  await tell(context, definition, { condition: { type, status: 'True', reason: 'MigrationRunning', message } });
}

/** Once all objects are rewritten and the definition is unchanged, only the current version is stored. */
export async function endDefinitionMigration(context: ControllerContext, migration: StoredMigration): Promise<void> {
  const definition = await definitionOf(context, migration);
  if (definition === undefined) return;
  const began = definition.status?.conditions?.find((condition) => condition.type === type);
  const isSame =
    began !== undefined && Number(began.observedGeneration ?? 0) === Number(definition.metadata.generation);
  if (!isTrue(migration.status?.conditions, 'Succeeded')) {
    const message = 'The migration has failed';
    return tell(context, definition, { condition: { type, status: 'False', reason: 'MigrationFailed', message } });
  }
  const updated = 'and the stored versions have been updated';
  const kept = 'but the stored versions have not been updated due to a generation mismatch';
  const message = `The migration has succeeded ${isSame ? updated : kept}`;
  const condition: NewCondition = { type, status: 'False', reason: 'MigrationSucceeded', message };
  return tell(context, definition, { condition, storedVersions: isSame ? storageVersionOf(definition) : undefined });
}

async function definitionOf(
  { client }: ControllerContext,
  { spec }: StoredMigration,
): Promise<StoredDefinition | undefined> {
  const { group = '', resource = '' } = spec?.resource ?? {};
  try {
    return (await client.get({ ...definitions, name: `${resource}.${group}` })) as StoredDefinition; // of that kind
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function storageVersionOf({ spec }: StoredDefinition): string[] {
  return (spec?.versions ?? []).filter(({ storage }) => storage === true).map(({ name = '' }) => name);
}

/** Fails with Conflict when the definition has changed meanwhile. */
async function tell(
  { client, clock }: ControllerContext,
  { metadata }: StoredDefinition,
  { condition, storedVersions }: { readonly condition: NewCondition; readonly storedVersions?: string[] | undefined },
): Promise<void> {
  const { name = '', resourceVersion = '', generation = 0 } = metadata;
  const lastTransitionTime = formatTime(timeOf(clock.now()));
  const written: JsonObject = { ...condition, lastTransitionTime, observedGeneration: generation };
  const status: JsonObject = { conditions: [written], ...(storedVersions === undefined ? {} : { storedVersions }) };
  const configuration: JsonObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, resourceVersion },
    status,
  };
  await client.apply({ ...definitions, name }, configuration, { manager, subresource: 'status' });
}
