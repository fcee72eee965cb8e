import { duplicateField, forbiddenField, invalidField, keyPath } from '../../../api/field-error.ts';
import { pauseIsDue } from '../../../api/findings.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { ipRange, isOnePerFamily } from '../../parts/addresses/addresses.ts';
import { amount } from '../../parts/amounts/quantities.ts';
import { taints } from '../../parts/pod-template/scheduling.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import type { Errors } from '../../parts/rules/rules.ts';

function* nodeAmounts({ status }: core.Node): Errors {
  for (const list of ['capacity', 'allocatable'] as const) {
    const values = status?.[list] ?? {};
    for (const name in values) yield* amount(name, values[name] ?? '', `status.${list}.${name}`);
  }
}

export function* node(object: core.Node): Errors {
  const { spec = {} } = object;
  yield* taints(spec.taints ?? [], 'metadata.taints');
  yield* nodeAmounts(object);
  const ranges = spec.podCIDRs ?? [];
  for (const [index, range] of ranges.entries()) {
    if (pauseIsDue()) yield;
    yield* ipRange(range, keyPath('spec.podCIDRs', index));
  }
  if (ranges.length > 1 && !isOnePerFamily(ranges)) {
    yield invalidField('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
  }
}

export function* nodeUpdate(object: core.Node, old: core.Node): Errors {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  yield* nodeAmounts(object);
  const addresses = object.status?.addresses ?? [];
  const isRepeated = repetitions();
  for (const [index, address] of addresses.entries()) {
    if (pauseIsDue()) yield;
    if (!isRepeated(JSON.stringify([address.type, address.address]))) continue;
    yield duplicateField(keyPath('status.addresses', index), internalValue('core.NodeAddress', address));
  }
  const [ranges, oldRanges] = [spec.podCIDRs ?? [], before.podCIDRs ?? []];
  if (
    oldRanges.length > 0 &&
    (ranges.length !== oldRanges.length || oldRanges.some((range, index) => range !== ranges[index]))
  ) {
    yield forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
  const [id, oldId] = [spec.providerID ?? '', before.providerID ?? ''];
  if (oldId !== '' && id !== oldId) {
    const detail = id === '' ? 'field cannot be cleared once set' : 'field cannot be modified once set';
    yield invalidField('spec.providerID', null, detail);
  }
  yield* taints(spec.taints ?? [], 'metadata.taints');
  if ((spec.externalID ?? '') !== (before.externalID ?? ''))
    yield forbiddenField('spec.externalID', 'may not be updated');
}
