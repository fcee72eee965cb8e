import { childPath, notSupportedField } from '../../../api/errors/field-error.ts';
import { allOf } from '../../../api/errors/findings.ts';
import { qualifiedNameErrors } from '../../../api/meta/names.ts';
import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { isNativeResource } from '../../../schema/kubernetes/resource-names.ts';
import { amount, basicAmount } from '../../parts/amounts/quantities.ts';
import { healthConditions } from '../../parts/pod-template/volume-health.ts';
import { declaredOfField } from '../../parts/rules/declared.ts';
import { type Errors, formErrors } from '../../parts/rules/rules.ts';

const resizeStatuses: readonly string[] = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

/** The only native resource of claims is storage. */
function claimResource(name: string, path: string): Errors {
  const faults = qualifiedNameErrors(name);
  if (faults.length > 0) return formErrors(path, name, faults);
  return isNativeResource(name) && name !== 'storage' ? [notSupportedField(path, name, ['storage'])] : [];
}

const healthStatus = { definition: 'io.k8s.api.core.v1.PersistentVolumeClaimStatus', field: 'healthStatus' } as const;

export function* persistentVolumeClaimStatus(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): Errors {
  const { status = {} } = claim;
  for (const [name, value] of Object.entries(status.capacity ?? {})) {
    yield* basicAmount(value, `status.capacity[${name}]`);
  }
  yield* healthConditions(status.healthStatus?.healthConditions ?? [], 'status.healthStatus.healthConditions');
  const statuses = childPath('status', 'allocatedResourceStatuses');
  for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    yield* claimResource(name, statuses);
    if (!resizeStatuses.includes(value)) yield notSupportedField(statuses, name, resizeStatuses);
  }
  for (const [name, value] of Object.entries(status.allocatedResources ?? {})) {
    const path = childPath('status', 'allocatedResources');
    const faults = allOf(claimResource(name, path));
    if (faults.length > 0) {
      yield* faults;
      continue;
    }
    const basic = allOf(basicAmount(value, `${path}[${name}]`));
    yield* basic.length > 0 ? basic : amount('storage', value, `${path}[${name}]`);
  }
  yield* declaredOfField(healthStatus, status, old.status ?? {}, 'status');
}
