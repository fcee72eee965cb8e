import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  tooLongField,
} from '../../../api/field-error.ts';
import { pauseIsDue } from '../../../api/findings.ts';
import { qualifiedNameErrors } from '../../../api/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { caselessSubdomainErrors } from '../../parts/rules/forms.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';
import { nonNegativeQuantity } from '../../parts/amounts/quantities.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import {
  dnsSubdomain,
  type Errors,
  formErrors,
  immutable,
  immutableMessage,
  isEmpty,
  nonNegative,
  oneOf,
  qualifiedName,
  required,
  requiredOneOf,
  sealedField,
} from '../../parts/rules/rules.ts';
import { volumeSpec } from '../../core/persistent-volume/validation.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { csiDriverName } from '../../parts/pod-template/volume-sources.ts';

// Classes of storage and what drivers tell of themselves.

function* provisioner(value: string | undefined, path: string): Errors {
  if (isEmpty(value)) return;
  yield* formErrors(path, (value ?? '').toLowerCase(), qualifiedNameErrors((value ?? '').toLowerCase()));
}

function* parameters(values: { readonly [key: string]: string }, path: string): Errors {
  const entries = Object.entries(values);
  if (entries.length > 512) return yield tooLongField(path, 512);
  for (const [key] of entries) if (key === '') yield invalidField(path, key, 'field can not be empty.');
  const size = entries.reduce((total, [key, value]) => total + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > 256 * 1024) yield tooLongField(path, 256 * 1024);
}

export function* storageClass(object: storage.StorageClass): Errors {
  yield* provisioner(object.provisioner, 'provisioner');
  yield* parameters(object.parameters ?? {}, 'parameters');
  if (!isEmpty(object.reclaimPolicy)) yield* oneOf(['Delete', 'Retain'])(object.reclaimPolicy, 'reclaimPolicy');
  yield* requiredOneOf(['Immediate', 'WaitForFirstConsumer'])(object.volumeBindingMode, 'volumeBindingMode');
  yield* topologies(object.allowedTopologies ?? [], 'allowedTopologies');
  // What the type itself demands comes last.
  yield* required()(object.provisioner, 'provisioner');
}

/** Terms must differ; the reference takes one without expressions for the same as none. */
function* topologies(terms: readonly core.TopologySelectorTerm[], path: string): Errors {
  const isRepeated = repetitions();
  for (const [index, term] of terms.entries()) {
    if (pauseIsDue()) yield;
    const expressionsPath = childPath(keyPath(path, index), 'matchLabelExpressions');
    yield* topologyTerm(term, expressionsPath);
    const values = new Map(
      (term.matchLabelExpressions ?? []).map(({ key = '', values = [] }) => [key, [...new Set(values)].sort()]),
    );
    // Neither the keys nor the values of a key have an order.
    const identity = JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
    if (isRepeated(identity) || values.size === 0) yield duplicateField(expressionsPath, '');
  }
}

function* topologyTerm({ matchLabelExpressions = [] }: core.TopologySelectorTerm, path: string): Errors {
  const keys = new Set<string>();
  for (const [index, { key = '', values = [] }] of matchLabelExpressions.entries()) {
    if (pauseIsDue()) yield;
    const itemPath = keyPath(path, index);
    yield* required()(values, childPath(itemPath, 'values'));
    const isRepeated = repetitions();
    for (const [number, value] of values.entries()) {
      if (pauseIsDue()) yield;
      if (isRepeated(value)) yield duplicateField(keyPath(childPath(itemPath, 'values'), number), value);
    }
    yield* qualifiedName(key, childPath(itemPath, 'key'));
    if (keys.has(key)) yield duplicateField(childPath(itemPath, 'key'), key);
    keys.add(key);
  }
}

export function* storageClassUpdate(object: storage.StorageClass, old: storage.StorageClass): Errors {
  for (const name of ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const) {
    yield* sealedField(object[name], old[name], name);
  }
}

export function* attributesClass({ driverName, parameters: values = {} }: storage.VolumeAttributesClass): Errors {
  if (isEmpty(driverName)) yield requiredField('driverName');
  yield* provisioner(driverName, 'driverName');
  yield* parameters(values, 'parameters');
  if (isEmpty(values)) yield requiredField('parameters', 'must contain at least one key/value pair');
}

export function* attributesClassUpdate(
  object: storage.VolumeAttributesClass,
  old: storage.VolumeAttributesClass,
): Errors {
  for (const name of ['driverName', 'parameters'] as const) {
    if (!sameValue(object[name], old[name])) yield forbiddenField(name, `updates to ${name} are forbidden.`);
  }
  yield* attributesClass(object);
}

export function* volumeAttachment({ spec = {} }: storage.VolumeAttachment): Errors {
  const { attacher = '', source = {}, nodeName } = spec;
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  const path = 'spec.source';
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) yield requiredField(path, exactlyOne);
  else if (inline !== undefined && name !== undefined) yield forbiddenField(path, exactlyOne);
  else if (name === '')
    yield requiredField(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
  else if (inline !== undefined) yield* volumeSpec(inline, `${path}.inlineVolumeSpec`, { inline: true });
  yield* dnsSubdomain(nodeName, 'spec.nodeName');
  if (name !== undefined) yield* dnsSubdomain(name, `${path}.persistentVolumeName`);
  // What the type itself demands comes last.
  yield* attacherErrors(attacher, 'spec.attacher');
}

function* attacherErrors(name: string, path: string): Errors {
  if (name === '') return yield requiredField(path);
  yield* formErrors(path, name, caselessSubdomainErrors(name));
  if (name.length > 63) yield tooLongField(path, 63, 'character');
}

export function* volumeAttachmentUpdate(object: storage.VolumeAttachment, old: storage.VolumeAttachment): Errors {
  yield* sealedField(object.spec, old.spec, 'spec');
}

export function* csiNode({ spec = {} }: storage.CSINode): Errors {
  const names = new Set<string>();
  for (const [index, driver] of (spec.drivers ?? []).entries()) {
    if (pauseIsDue()) yield;
    const path = keyPath('spec.drivers', index);
    const { name = '', nodeID = '', topologyKeys = [] } = driver;
    yield* csiDriverName(name, childPath(path, 'name'));
    if (nodeID === '') yield requiredField(childPath(path, 'nodeID'));
    if (nodeID.length > 192) yield invalidField(childPath(path, 'nodeID'), nodeID, 'must be 192 characters or less');
    yield* nonNegative(driver.allocatable?.count, childPath(path, 'allocatable.count'));
    if (names.has(name)) yield duplicateField(childPath(path, 'name'), name);
    names.add(name);
    const isRepeated = repetitions();
    for (const key of topologyKeys) {
      if (pauseIsDue()) yield;
      if (key === '') yield requiredField(path);
      if (isRepeated(key)) yield duplicateField(path, key);
      yield* qualifiedName(key, path);
    }
  }
}

export function* csiNodeUpdate(object: storage.CSINode, old: storage.CSINode): Errors {
  const drivers = Map.groupBy(object.spec?.drivers ?? [], ({ name = '' }) => name);
  for (const before of old.spec?.drivers ?? []) {
    if (pauseIsDue()) yield;
    for (const driver of drivers.get(before.name ?? '') ?? []) {
      if (pauseIsDue()) yield;
      const { allocatable: _now, ...now } = driver;
      const { allocatable: _then, ...then } = before;
      if (sameValue(now, then)) continue;
      yield invalidField('spec.drivers', internalValue('storage.CSINodeDriver', now), immutableMessage);
    }
  }
}

export function* csiDriver({ spec = {} }: storage.CSIDriver): Errors {
  for (const [name, shown] of [
    ['attachRequired', 'attachedRequired'],
    ['podInfoOnMount'],
    ['storageCapacity'],
  ] as const) {
    if (spec[name] === undefined) yield requiredField(`spec.${shown ?? name}`);
  }
  yield* oneOf(['File', 'None', 'ReadWriteOnceWithFSType'])(spec.fsGroupPolicy, 'spec.fsGroupPolicy');
  yield* tokenRequests(spec.tokenRequests ?? []);
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (pauseIsDue()) yield;
    yield* oneOf(['Persistent', 'Ephemeral'])(mode, 'spec.volumeLifecycleModes');
  }
  if (spec.seLinuxMount === undefined) yield requiredField('spec.seLinuxMount');
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10) {
    const detail = 'must be greater than or equal to 10 seconds';
    yield invalidField('spec.nodeAllocatableUpdatePeriodSeconds', period, detail);
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && isEmpty(spec.tokenRequests)) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    yield invalidField('spec.serviceAccountTokenInSecrets', spec.serviceAccountTokenInSecrets, detail);
  }
}

function* tokenRequests(requests: readonly storage.TokenRequest[]): Errors {
  const audiences = new Set<string>();
  for (const [index, { audience = '', expirationSeconds: seconds }] of requests.entries()) {
    if (pauseIsDue()) yield;
    const path = keyPath('spec.tokenRequests', index);
    if (audiences.has(audience)) {
      yield duplicateField(childPath(path, 'audience'), audience);
      continue;
    }
    audiences.add(audience);
    const secondsPath = childPath(path, 'expirationSeconds');
    if (seconds !== undefined && seconds < 600) {
      yield invalidField(secondsPath, seconds, 'may not specify a duration less than 10 minutes');
    }
    if (seconds !== undefined && seconds > 2 ** 32) {
      yield invalidField(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds');
    }
  }
}

export function* csiDriverUpdate(object: storage.CSIDriver, old: storage.CSIDriver): Errors {
  yield* immutable(object.spec?.attachRequired, old.spec?.attachRequired, 'spec.attachedRequired');
  yield* immutable(object.spec?.volumeLifecycleModes, old.spec?.volumeLifecycleModes, 'spec.volumeLifecycleModes');
}

export function* storageCapacity({ nodeTopology, storageClassName, capacity }: storage.CSIStorageCapacity): Errors {
  yield* labelSelector(nodeTopology, 'nodeTopology');
  yield* dnsSubdomain(storageClassName, 'storageClassName');
  if (capacity !== undefined) yield* nonNegativeQuantity(capacity, 'capacity');
}

export function* storageCapacityUpdate(object: storage.CSIStorageCapacity, old: storage.CSIStorageCapacity): Errors {
  for (const name of ['nodeTopology', 'storageClassName'] as const) yield* immutable(object[name], old[name], name);
}
