import { invalidField, requiredField } from '../../api/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../api/names.ts';
import type { StorageVersionMigration } from '../../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { type Errors, immutableMessage } from './rules.ts';
import { sameValue } from './same-value.ts';

/** A migration names the resource whose objects are written anew. */
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
