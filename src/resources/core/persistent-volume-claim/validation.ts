import { forbiddenField, invalidField } from '../../../api/errors/field-error.ts';
import { keepNotes } from '../../../api/json/written-notes.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { compareTexts } from '../../parts/amounts/quantities.ts';
import { type Errors, immutableMessage, isEmpty } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { internalDiff } from '../../parts/rules/unified-diff.ts';
import { type ClaimSpecOptions, persistentVolumeClaimSpec } from '../../parts/volume-claim/validation.ts';

const betaClass = 'volume.beta.kubernetes.io/storage-class';

export function* persistentVolumeClaim(claim: core.PersistentVolumeClaim, old?: core.PersistentVolumeClaim): Errors {
  const keepsApiGroups =
    old?.spec?.dataSource?.apiGroup !== undefined || old?.spec?.dataSourceRef?.apiGroup !== undefined;
  const options: ClaimSpecOptions = { keepsApiGroups };
  yield* persistentVolumeClaimSpec(claim.spec ?? {}, 'spec', options);
}

export function* persistentVolumeClaimUpdate(
  claim: core.PersistentVolumeClaim,
  old: core.PersistentVolumeClaim,
): Errors {
  yield* persistentVolumeClaim(claim, old);
  const { spec = {} } = claim;
  const before: core.PersistentVolumeClaimSpec = { ...old.spec };
  const now: core.PersistentVolumeClaimSpec = keepNotes(spec, { ...spec });
  if (isEmpty(before.volumeName) && spec.volumeName !== undefined) before.volumeName = spec.volumeName;
  const [annotation, oldAnnotation] = [
    claim.metadata?.annotations?.[betaClass],
    old.metadata?.annotations?.[betaClass],
  ];
  if ((annotation ?? '') !== (oldAnnotation ?? '')) {
    yield invalidField(`metadata.annotations.${betaClass}`, annotation ?? '', immutableMessage);
  }
  // A claim without a storage class may be given one.
  const named =
    before.storageClassName === undefined && (oldAnnotation ?? spec.storageClassName) === spec.storageClassName;
  if (named) delete now.storageClassName;
  if (claim.status?.phase === 'Bound') {
    const { requests: oldRequests = {} } = before.resources ?? {};
    const size = oldRequests['storage'];
    now.resources = { ...now.resources, requests: { ...now.resources?.requests, ...(size && { storage: size }) } };
    if (before.volumeAttributesClassName === undefined) delete now.volumeAttributesClassName;
    else now.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  if (!sameValue(now, before)) {
    const diff = internalDiff('core.PersistentVolumeClaimSpec', before, now);
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    yield forbiddenField('spec', `${detail}\n${diff}`);
  }
  yield* shrunk(claim, old);
  if (spec.volumeMode !== before.volumeMode)
    yield invalidField('volumeMode', spec.volumeMode ?? null, immutableMessage);
}

function* shrunk(claim: core.PersistentVolumeClaim, old: core.PersistentVolumeClaim): Errors {
  const size = claim.spec?.resources?.requests?.['storage'] ?? '0';
  if (compareTexts(size, old.spec?.resources?.requests?.['storage'] ?? '0') >= 0) return;
  if (compareTexts(size, old.status?.capacity?.['storage'] ?? '0') > 0) return;
  yield forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity');
}
