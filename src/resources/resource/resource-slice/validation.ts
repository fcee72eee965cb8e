import { hasAny } from '../../../api/errors/findings.ts';
import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, formErrors, immutable, shortName } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { nodeSelector } from '../../parts/selectors/node-selectors.ts';
import { declaredQualifiedName, deviceName, driverName, poolName, qualifiedDeviceName } from '../device-names.ts';
import { bindingParameters, distinct, inFieldOrder, limited, nodeOperations } from '../device-rules.ts';
import { late, ordered } from '../late-errors.ts';
import { deviceTaint } from '../device-taint.ts';
import { allocatableResources } from './allocatable-resources.ts';
import { deviceAttribute, valueCount } from './attributes.ts';
import { requestPolicy } from './capacity-policies.ts';
import { isSet } from '../../parts/rules/set-fields.ts';

const maxDevices = 128;

const maxAdvancedDevices = 64;

const maxTaints = 16;

const maxCounterSets = 8;

const maxCounters = 32;

const maxConsumptions = 2;

const maxAttributes = 32;

const maxValues = 48;

const maxGroups = 2;

const maxKeyBytes = 96;

export function resourceSlice(slice: resource.ResourceSlice, { requestVersion }: WriteContext): Errors {
  return ordered(sliceSpec(slice.spec ?? {}, undefined), placesIn(requestVersion));
}

export function resourceSliceUpdate(
  slice: resource.ResourceSlice,
  old: resource.ResourceSlice,
  { requestVersion }: WriteContext,
): Errors {
  return ordered(sliceSpec(slice.spec ?? {}, old.spec ?? {}), placesIn(requestVersion));
}

/** Where the version of a request, whose rules are the declarative ones, has a field. */
function placesIn(version: string): (field: string) => string {
  if (version !== 'v1beta1') return (field) => field;
  return (field) => field.replace(/^(spec\.devices\[\d+\])\.(?!name$)/, '$1.basic.');
}

function* sliceSpec(spec: resource.ResourceSliceSpec, old: resource.ResourceSliceSpec | undefined): Errors {
  const { pool = {}, devices = [], sharedCounters } = spec;
  yield* driverName(spec.driver, 'spec.driver');
  yield* resourcePool(pool);
  if (old !== undefined) {
    yield* immutable(pool.name ?? '', old.pool?.name ?? '', 'spec.pool.name');
    yield* immutable(spec.driver ?? '', old.driver ?? '', 'spec.driver');
    yield* immutable(spec.nodeName ?? null, old.nodeName ?? null, 'spec.nodeName');
  }
  yield* nodesOfSlice(spec);
  if (isSet(spec, 'sharedCounters') && isSet(spec, 'devices')) {
    yield invalidField('spec', '', 'only one of `sharedCounters` or `devices` is allowed');
  }
  const isAdvanced = devices.some(
    ({ taints = [], consumesCounters = [] }) => taints.length + consumesCounters.length > 0,
  );
  const max = isAdvanced ? maxAdvancedDevices : maxDevices;
  if (devices.length > max) yield tooManyField('spec.devices', devices.length, max);
  else yield* deviceList(devices, old?.devices ?? [], spec.perDeviceNodeSelection === true);
  yield* limited(sharedCounters, 'spec.sharedCounters', maxCounterSets, ({ name, counters }, path) =>
    counterSet({ field: 'name', name, counters }, path),
  );
  if ((sharedCounters ?? []).length <= maxCounterSets) {
    yield* late(distinct(sharedCounters, 'spec.sharedCounters', ({ name = '' }) => name, inFieldOrder));
  }
  const { partitionTypeAttribute: partition, skipNodeOperations: skipped } = spec;
  if (partition !== undefined) yield* partitionTypes(spec, partition);
  yield* nodeOperations(skipped, 'spec.skipNodeOperations');
}

/** The attribute that tells the type of a partition: devices that consume counters have it, as a string. */
function* partitionTypes({ devices = [], driver = '' }: resource.ResourceSliceSpec, name: string): Errors {
  const path = 'spec.partitionTypeAttribute';
  yield* declaredQualifiedName(name, path);
  if (devices.every(({ consumesCounters = [] }) => consumesCounters.length === 0)) {
    const detail = 'may only be set on a slice which declares devices that consume counters';
    return yield invalidField(path, name, detail);
  }
  if (hasAny(declaredQualifiedName(name, path))) return;
  const bare = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  for (const [index, { attributes = {}, consumesCounters = [] }] of devices.entries()) {
    if (consumesCounters.length === 0) continue;
    const at = keyPath(childPath(keyPath('spec.devices', index), 'attributes'), name);
    const attribute = attributes[name] ?? attributes[bare];
    if (attribute === undefined) {
      const detail = 'device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set';
      yield requiredField(at, detail);
    } else if (attribute.string === undefined) {
      const detail = 'must be a string value because `partitionTypeAttribute` names this attribute';
      yield invalidField(at, internalValue('resource.DeviceAttribute', attribute), detail);
    }
  }
}

function* deviceList(
  devices: readonly resource.Device[],
  old: readonly resource.Device[],
  isPerDevice: boolean,
): Errors {
  for (const [index, one] of devices.entries()) {
    const before = old.find(({ name }) => name === one.name);
    yield* device(one, before, { path: keyPath('spec.devices', index), isPerDevice });
  }
  yield* distinct(
    devices,
    'spec.devices',
    ({ name = '' }) => name,
    ({ name = '' }) => name,
  );
}

function* resourcePool({ name, resourceSliceCount = 0, generation = 0 }: resource.ResourcePool): Errors {
  yield* poolName(name, 'spec.pool.name');
  const count = 'spec.pool.resourceSliceCount';
  if (resourceSliceCount <= 0) yield invalidField(count, resourceSliceCount, 'must be greater than zero');
  if (generation < 0) {
    yield invalidField('spec.pool.generation', generation, 'must be greater than or equal to zero');
  }
}

function* nodesOfSlice(spec: resource.ResourceSliceSpec): Errors {
  const set: string[] = [];
  const { nodeName, nodeSelector: selector } = spec;
  if (nodeName === '') yield invalidField('spec.nodeName', '', 'must be either unset or set to a non-empty string');
  else if (nodeName !== undefined) {
    set.push('`nodeName`');
    yield* formErrors('spec.nodeName', nodeName, dnsSubdomainErrors(nodeName));
  }
  if (selector !== undefined) {
    set.push('`nodeSelector`');
    yield* nodeSelector(selector, 'spec.nodeSelector');
    const terms = selector.nodeSelectorTerms;
    if (terms?.length !== 1) {
      const value = terms === undefined ? null : internalValue('[]core.NodeSelectorTerm', terms);
      yield invalidField('spec.nodeSelector.nodeSelectorTerms', value, 'must have exactly one node selector term');
    }
  }
  for (const name of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec[name] === false) yield invalidField(`spec.${name}`, false, 'must be either unset or set to true');
    if (spec[name] === true) set.push(`\`${name}\``);
  }
  const detail = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (set.length === 0) yield requiredField('spec', detail);
  if (set.length > 1) yield invalidField('spec', `{${set.join(', ')}}`, `${detail}, but multiple fields are set`);
}

interface DeviceScope {
  readonly path: string;
  /** Each device specifies its own nodes. */
  readonly isPerDevice: boolean;
}

function* device(value: resource.Device, old: resource.Device | undefined, { path, isPerDevice }: DeviceScope): Errors {
  const { attributes = {}, capacity = {}, taints } = value;
  yield* deviceName(value.name, childPath(path, 'name'));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > maxAttributes) {
    yield invalidField(path, count, `the total number of attributes and capacities must not exceed ${maxAttributes}`);
  }
  const values = valueCount(value);
  if (values > maxValues) {
    yield invalidField(path, values, `the total number of attribute values must not exceed ${maxValues}`);
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    yield* qualifiedDeviceName(name, childPath(path, 'attributes'));
    yield* deviceAttribute(attribute, keyPath(childPath(path, 'attributes'), truncated(name)));
  }
  if (old === undefined || !sameValue(old.capacity, value.capacity)) {
    for (const [name, amount] of Object.entries(capacity)) {
      yield* qualifiedDeviceName(name, childPath(path, 'capacity'));
      const at = childPath(keyPath(childPath(path, 'capacity'), truncated(name)), 'requestPolicy');
      if (amount.requestPolicy === undefined) continue;
      if (value.allowMultipleAllocations === true) yield* requestPolicy(amount.requestPolicy, amount.value ?? '0', at);
      else yield forbiddenField(at, 'allowMultipleAllocations must be true');
    }
  }
  if (old === undefined || !sameValue(old.taints, taints)) yield* deviceTaints(taints ?? [], childPath(path, 'taints'));
  yield* consumptions(value.consumesCounters, childPath(path, 'consumesCounters'));
  yield* isPerDevice ? nodesOfDevice(value, path) : noNodesOfDevice(value, path);
  yield* bindingParameters(value, path);
  yield* allocatableResources(value, path);
}

/** Long keys are truncated in the middle when shown in paths. */
function truncated(key: string): string {
  if (key.length <= maxKeyBytes) return key;
  const rest = maxKeyBytes - 3;
  return `${key.slice(0, Math.floor((rest + 1) / 2))}...${key.slice(key.length - Math.floor(rest / 2))}`;
}

function* deviceTaints(taints: readonly resource.DeviceTaint[], path: string): Errors {
  if (taints.length > maxTaints) return yield tooManyField(path, taints.length, maxTaints);
  for (const [index, taint] of taints.entries()) {
    yield* deviceTaint(taint, undefined, keyPath(path, index));
  }
}

interface CounterSet {
  /** The field that holds the name. */
  readonly field: 'name' | 'counterSet';
  readonly name: string | undefined;
  readonly counters: { readonly [name: string]: resource.Counter } | undefined;
}

function* counterSet({ field, name = '', counters = {} }: CounterSet, path: string): Errors {
  const namePath = childPath(path, field);
  if (name === '') yield* late([requiredField(namePath)]);
  else yield* late(shortName(name, namePath));
  const list = childPath(path, 'counters');
  const keys = Object.keys(counters);
  if (keys.length === 0) yield* late([requiredField(list)]);
  else if (keys.length > maxCounters) yield tooManyField(list, keys.length, maxCounters);
  else for (const key of keys) yield* late(shortName(key, list));
}

function* consumptions(list: readonly resource.DeviceCounterConsumption[] | undefined, path: string): Errors {
  yield* limited(list, path, maxConsumptions, function* ({ counterSet: name, counters, compatibilityGroups }, at) {
    yield* counterSet({ field: 'counterSet', name, counters }, at);
    yield* late(groups(compatibilityGroups, childPath(at, 'compatibilityGroups')));
  });
  if ((list ?? []).length > maxConsumptions) return;
  yield* late(distinct(list, path, ({ counterSet: name = '' }) => name, inFieldOrder));
}

function* groups(names: readonly string[] | undefined, path: string): Errors {
  yield* limited(names, path, maxGroups, (name, at) => shortName(name, at));
  const same = (name: string): string => name;
  if ((names ?? []).length <= maxGroups) yield* distinct(names, path, same, same);
}

function* nodesOfDevice({ nodeName, nodeSelector: selector, allNodes }: resource.Device, path: string): Errors {
  const set: string[] = [];
  if (nodeName === '') yield invalidField(childPath(path, 'nodeName'), '', 'must not be empty');
  else if (nodeName !== undefined) {
    set.push('`nodeName`');
    yield* formErrors(childPath(path, 'nodeName'), nodeName, dnsSubdomainErrors(nodeName));
  }
  if (selector !== undefined) {
    set.push('`nodeSelector`');
    yield* nodeSelector(selector, childPath(path, 'nodeSelector'));
  }
  if (allNodes === true) set.push('`allNodes`');
  if (allNodes === false) yield invalidField(childPath(path, 'allNodes'), false, 'must be either unset or set to true');
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (set.length === 0) yield requiredField(path, detail);
  if (set.length > 1) yield invalidField(path, `{${set.join(', ')}}`, detail);
}

function* noNodesOfDevice({ nodeName, nodeSelector: selector, allNodes }: resource.Device, path: string): Errors {
  if (nodeName === undefined && selector === undefined && allNodes === undefined) return;
  const detail =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  yield invalidField(path, null, detail);
}
