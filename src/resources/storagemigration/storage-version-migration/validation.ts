import { invalidField, requiredField } from '../../../api/errors/field-error.ts';
import type { JsonValue } from '../../../api/json/json.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type { Condition } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import type { StorageVersionMigration } from '../../../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { type Errors, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';

/** A migration names the resource whose objects are rewritten. */
export function* storageVersionMigration({ spec }: StorageVersionMigration): Errors {
  const { group = '', resource = '' } = spec?.resource ?? {};
  const path = 'spec.resource.resource';
  if (resource === '') yield requiredField(path, 'resource is required to be set');
  else {
    const errors = dns1035LabelErrors(resource);
    if (errors.length > 0) yield invalidField(path, resource, errors.join(','));
  }
  const groupErrors = group === '' ? [] : dnsSubdomainErrors(group);
  if (groupErrors.length > 0) yield invalidField('spec.resource.group', group, groupErrors.join(','));
}

export function* storageVersionMigrationUpdate(
  { spec }: StorageVersionMigration,
  old: StorageVersionMigration,
): Errors {
  if (sameValue(spec, old.spec)) return;
  const { group = '', resource = '' } = spec?.resource ?? {};
  yield invalidField('spec', { Resource: { group, resource } }, immutableMessage);
}

const outcomes = [
  { type: 'Succeeded', name: 'Success' },
  { type: 'Failed', name: 'Failed' },
] as const;

export function* storageVersionMigrationStatus(
  migration: StorageVersionMigration,
  old: StorageVersionMigration,
): Errors {
  const { conditions, resourceVersion = '' } = migration.status ?? {};
  const before = old.status?.resourceVersion ?? '';
  if (resourceVersion !== '' && !/^[1-9]\d*$/.test(resourceVersion)) {
    const detail = `resource version is not well formed: ${resourceVersion}`;
    yield invalidField('status.resourceVersion', resourceVersion, detail);
  }
  yield* statusConditions(conditions, 'status.conditions');
  if (before !== '' && resourceVersion !== before) {
    yield invalidField('status.resourceVersion', resourceVersion, immutableMessage);
  }
  const value = conditions?.map(shownCondition) ?? null;
  if (outcomes.every(({ type }) => hasEnded(type, migration))) {
    const detail = 'Both success and failed conditions cannot be true at the same time';
    yield invalidField('status.conditions', value, detail);
  }
  for (const { type, name } of outcomes) {
    if (!hasEnded(type, old) || hasEnded(type, migration)) continue;
    yield invalidField('status.conditions', value, `${name} condition cannot be set to false once it is true`);
  }
}

function hasEnded(type: string, { status }: StorageVersionMigration): boolean {
  return status?.conditions?.find((condition) => condition.type === type)?.status === 'True';
}

/** With the fields that are never omitted, in type order. */
function shownCondition({
  type,
  status,
  observedGeneration,
  lastTransitionTime,
  reason,
  message,
}: Condition): JsonValue {
  return {
    type: type ?? '',
    status: status ?? '',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: lastTransitionTime ?? null,
    reason: reason ?? '',
    message: message ?? '',
  };
}
