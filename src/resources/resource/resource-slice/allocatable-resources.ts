import { childPath, invalidField, keyPath, notFoundField, requiredField } from '../../../api/errors/field-error.ts';
import { compareQuantities, parseQuantity } from '../../../api/values/quantity.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { late } from '../late-errors.ts';

/** What a device takes of the resources of its node. */
export function* allocatableResources(
  { nodeAllocatableResources = {}, capacity }: resource.Device,
  path: string,
): Errors {
  const list = childPath(path, 'nodeAllocatableResources');
  for (const [name, { mapping, overhead }] of Object.entries(nodeAllocatableResources)) {
    const at = keyPath(list, name);
    if (name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-')) {
      yield invalidField(at, name, 'must be a node allocatable resource name');
    }
    if (mapping === undefined && overhead === undefined) {
      yield requiredField(at, 'at least one of mapping or overhead must be set');
    }
    if (mapping !== undefined) yield* mapped(mapping, capacity ?? {}, childPath(at, 'mapping'));
    if (overhead !== undefined) yield* taken(overhead, childPath(at, 'overhead'));
  }
}

function* mapped(
  { capacityKey, capacityMultiplier, deviceMultiplier }: resource.NodeAllocatableMapping,
  capacity: { readonly [name: string]: unknown },
  path: string,
): Errors {
  const [key, multiplier] = [childPath(path, 'capacityKey'), childPath(path, 'capacityMultiplier')];
  if (capacityKey === '') yield invalidField(key, '', 'capacityKey must not be an empty string');
  else if (capacityKey !== undefined && !Object.hasOwn(capacity, capacityKey)) yield notFoundField(key, capacityKey);
  if (capacityKey !== undefined && capacityMultiplier === undefined) {
    yield requiredField(multiplier, 'capacityMultiplier is required when capacityKey is set');
  } else if (capacityKey !== undefined && capacityMultiplier !== undefined && signOf(capacityMultiplier) <= 0) {
    yield invalidField(multiplier, capacityMultiplier, 'must be positive');
  }
  if (deviceMultiplier !== undefined && signOf(deviceMultiplier) <= 0) {
    yield invalidField(childPath(path, 'deviceMultiplier'), deviceMultiplier, 'must be positive');
  }
  if (capacityMultiplier !== undefined && capacityKey === undefined) {
    yield requiredField(key, 'capacityKey is required when capacityMultiplier is set');
  }
  const set = [
    ...(capacityKey === undefined ? [] : ['capacityKey']),
    ...(deviceMultiplier === undefined ? [] : ['deviceMultiplier']),
  ];
  const all = '`capacityKey`, `deviceMultiplier`';
  if (set.length === 0) yield* late([invalidField(path, '', `must specify one of: ${all}`)]);
  if (set.length > 1) {
    yield* late([invalidField(path, `{${set.join(', ')}}`, `must specify exactly one of: ${all}`)]);
  }
}

function* taken({ perPod, perContainer }: resource.NodeAllocatableOverhead, path: string): Errors {
  if (perPod === undefined && perContainer === undefined) {
    return yield invalidField(path, '', 'at least one of perPod or perContainer must be set');
  }
  for (const [name, amount] of Object.entries({ perPod, perContainer })) {
    if (amount !== undefined && signOf(amount) < 0) {
      yield invalidField(childPath(path, name), amount, 'must be non-negative');
    }
  }
}

function signOf(quantity: string): number {
  return compareQuantities(parseQuantity(quantity), parseQuantity('0'));
}
