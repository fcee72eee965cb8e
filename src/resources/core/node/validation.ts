import {
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { ipRange, isOnePerFamily } from '../../parts/addresses/addresses.ts';
import { amount } from '../../parts/amounts/quantities.ts';
import { taints } from '../../parts/pod-template/scheduling.ts';
import { parseIpRange } from '../../../api/values/ip-address.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { compareBytewise } from '../../../api/json/json-text.ts';
import { nodeAnnotations } from './annotations.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import { type Errors, positive, qualifiedName } from '../../parts/rules/rules.ts';

function* nodeAmounts({ status }: core.Node): Errors {
  for (const list of ['capacity', 'allocatable'] as const) {
    const values = status?.[list] ?? {};
    for (const name in values) yield* amount(name, values[name] ?? '', `status.${list}.${name}`);
  }
}

export function* node(object: core.Node): Errors {
  const { spec = {}, status = {} } = object;
  yield* nodeAnnotations(object.metadata?.annotations);
  yield* taints(spec.taints ?? [], 'metadata.taints');
  yield* nodeAmounts(object);
  const swap = status.nodeInfo?.swap?.capacity;
  if (swap !== undefined) yield* positive(swap, 'metadata.nodeSwapStatus.capacity');
  yield* declaredFeatures(status.declaredFeatures ?? []);
  const ranges = spec.podCIDRs ?? [];
  for (const [index, range] of ranges.entries()) {
    yield* ipRange(range, keyPath('spec.podCIDRs', index));
  }
  const malformed = ranges.length > 1 ? ranges.findIndex((range) => parseIpRange(range) === undefined) : -1;
  if (malformed >= 0) {
    const problem = `invalid CIDR[${malformed}]: <nil> (invalid CIDR address: ${ranges[malformed]})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${problem}`;
    yield { type: 'InternalError', field: 'spec.podCIDRs', value: undefined, detail };
  }
  if (malformed >= 0 || (ranges.length > 1 && !isOnePerFamily(ranges))) {
    yield invalidField('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
  }
}

const maxPreemptors = 20;

/** Declared with the type: reported last. */
export function* declaredOfNode({ spec }: core.Node, old?: core.Node): Errors {
  const names = spec?.podPreemptionPolicy?.disableResizePreemption ?? [];
  const before = new Set(old?.spec?.podPreemptionPolicy?.disableResizePreemption);
  const path = 'spec.podPreemptionPolicy.disableResizePreemption';
  if (names.length > maxPreemptors) return yield tooManyField(path, names.length, maxPreemptors);
  for (const [index, name] of names.entries()) {
    if (!before.has(name)) yield* qualifiedName(name, keyPath(path, index));
  }
  const isRepeated = repetitions();
  for (const [index, name] of names.entries()) {
    if (isRepeated(name)) yield duplicateField(keyPath(path, index), name);
  }
}

const featureForm = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

function featureProblem(name: string): string | undefined {
  if (Buffer.byteLength(name) > 253) return 'must be no more than 253 characters';
  if (featureForm.test(name)) return undefined;
  return "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

/** Names of features of the kubelet, in order. */
function* declaredFeatures(names: readonly string[]): Errors {
  for (const [index, name] of names.entries()) {
    const problem = featureProblem(name);
    if (problem !== undefined) {
      yield invalidField(
        keyPath('status.declaredFeatures', index),
        name,
        `invalid feature name ${goQuote(name)}: ${problem}`,
      );
    }
    const next = names[index + 1];
    if (next === undefined) continue;
    const nextPath = keyPath('status.declaredFeatures', index + 1);
    if (name === next) yield duplicateField(nextPath, next);
    else if (compareBytewise(name, next) > 0) yield invalidField(nextPath, next, 'list must be sorted alphabetically');
  }
}

/** The rules of new nodes are checked once more, and their errors reported twice. */
export function* nodeUpdate(object: core.Node, old: core.Node): Errors {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  yield* node(object);
  yield* nodeAnnotations(object.metadata?.annotations);
  yield* nodeAmounts(object);
  yield* declaredFeatures(object.status?.declaredFeatures ?? []);
  const addresses = object.status?.addresses ?? [];
  const isRepeated = repetitions();
  for (const [index, address] of addresses.entries()) {
    if (!isRepeated(JSON.stringify([address.type, address.address]))) continue;
    yield duplicateField(keyPath('status.addresses', index), internalValue('core.NodeAddress', address));
  }
  const [ranges, oldRanges] = [spec.podCIDRs ?? [], before.podCIDRs ?? []];
  const isShorter = oldRanges.length > 0 && ranges.length !== oldRanges.length;
  // Once for each that has changed.
  for (const changed of isShorter ? [true] : oldRanges.map((range, index) => range !== ranges[index])) {
    if (changed) yield forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
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
