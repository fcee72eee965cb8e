import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/field-error.ts';
import { pauseIsDue } from '../../../api/findings.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../../api/names.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, formErrors, immutable } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { nodeSelector } from '../../parts/selectors/node-selectors.ts';
import { deviceName, driverName, poolName, qualifiedDeviceName } from '../device-names.ts';
import { bindingParameters, distinct, inFieldOrder, limited } from '../device-rules.ts';
import { late, ordered } from '../late-errors.ts';
import { deviceTaint } from '../device-taint.ts';
import { requestPolicy } from './capacity-policies.ts';

const maxDevices = 128;

const maxAdvancedDevices = 64;

const maxTaints = 16;

const maxCounterSets = 8;

const maxCounters = 32;

const maxConsumptions = 2;

const maxAttributes = 32;

const maxValueBytes = 64;

const maxKeyBytes = 96;

export const resourceSlice = ({ spec = {} }: resource.ResourceSlice): Errors => ordered(sliceSpec(spec, undefined));

export const resourceSliceUpdate = ({ spec = {} }: resource.ResourceSlice, old: resource.ResourceSlice): Errors =>
  ordered(sliceSpec(spec, old.spec ?? {}));

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
  if (sharedCounters !== undefined && spec.devices !== undefined) {
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
  if ((sharedCounters ?? []).length > maxCounterSets) return;
  yield* late(distinct(sharedCounters, 'spec.sharedCounters', ({ name = '' }) => name, inFieldOrder));
}

function* deviceList(
  devices: readonly resource.Device[],
  old: readonly resource.Device[],
  isPerDevice: boolean,
): Errors {
  for (const [index, one] of devices.entries()) {
    if (pauseIsDue()) yield;
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
  for (const [name, attribute] of Object.entries(attributes)) {
    if (pauseIsDue()) yield;
    yield* qualifiedDeviceName(name, childPath(path, 'attributes'));
    yield* deviceAttribute(attribute, keyPath(childPath(path, 'attributes'), truncated(name)));
  }
  if (old === undefined || !sameValue(old.capacity, value.capacity)) {
    for (const [name, amount] of Object.entries(capacity)) {
      if (pauseIsDue()) yield;
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
    if (pauseIsDue()) yield;
    yield* deviceTaint(taint, undefined, keyPath(path, index));
  }
}

const version =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

function* deviceAttribute(attribute: resource.DeviceAttribute, path: string): Errors {
  const { string: text, version: written } = attribute;
  if (text !== undefined && Buffer.byteLength(text) > maxValueBytes) {
    yield tooLongField(childPath(path, 'string'), maxValueBytes);
  }
  if (written !== undefined) {
    const at = childPath(path, 'version');
    if (!version.test(written))
      yield invalidField(at, written, 'must be a string compatible with semver.org spec 2.0.0');
    if (Buffer.byteLength(written) > maxValueBytes) yield tooLongField(at, maxValueBytes);
  }
  yield* late(oneValue(attribute, path));
}

const valueNames = ['int', 'bool', 'string', 'version'] as const;

/** Belong to the gate DRAListTypeAttributes, which is off. */
const gatedNames = ['ints', 'bools', 'strings', 'versions'];

function* oneValue(attribute: resource.DeviceAttribute, path: string): Errors {
  const set = valueNames.filter((name) => attribute[name] !== undefined);
  const all = [...valueNames, ...gatedNames].map((name) => `\`${name}\``).join(', ');
  if (set.length === 0) yield invalidField(path, '', `must specify one of: ${all}`);
  if (set.length > 1) yield invalidField(path, `{${set.join(', ')}}`, `must specify exactly one of: ${all}`);
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
  else yield* late(formErrors(namePath, name, dnsLabelErrors(name)));
  const list = childPath(path, 'counters');
  const keys = Object.keys(counters);
  if (keys.length === 0) yield* late([requiredField(list)]);
  else if (keys.length > maxCounters) yield tooManyField(list, keys.length, maxCounters);
  else for (const key of keys) yield* late(formErrors(list, key, dnsLabelErrors(key)));
}

function* consumptions(list: readonly resource.DeviceCounterConsumption[] | undefined, path: string): Errors {
  yield* limited(list, path, maxConsumptions, ({ counterSet: name, counters }, at) =>
    counterSet({ field: 'counterSet', name, counters }, at),
  );
  if ((list ?? []).length > maxConsumptions) return;
  yield* late(distinct(list, path, ({ counterSet: name = '' }) => name, inFieldOrder));
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
