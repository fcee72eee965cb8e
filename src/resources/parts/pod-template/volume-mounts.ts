import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  notFoundField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import type { Container, VolumeDevice, VolumeMount } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { descendingPath } from '../rules/forms.ts';
import { repetitions } from '../rules/repetitions.ts';
import { type Errors, isEmpty, oneOf } from '../rules/rules.ts';
import type { Volumes } from './volumes.ts';

// Volume mounts and block devices of containers.

export function* volumeMounts(container: Container, volumes: Volumes, path: string): Errors {
  const seen = new Set<string>();
  const devices = container.volumeDevices ?? [];
  const deviceNames = new Set(devices.map(({ name }) => name));
  const devicePaths = new Set(devices.map(({ devicePath = '' }) => devicePath));
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const itemPath = keyPath(path, index);
    const namePath = childPath(itemPath, 'name');
    const mountPath = childPath(itemPath, 'mountPath');
    const { name = '', mountPath: target = '' } = mount;
    if (name === '') yield requiredField(namePath);
    if (!volumes.has(name)) yield notFoundField(namePath, name);
    if (target === '') yield requiredField(mountPath);
    if (seen.has(target)) yield invalidField(mountPath, target, 'must be unique');
    seen.add(target);
    if (deviceNames.has(mount.name)) {
      yield invalidField(namePath, name, 'must not already exist in volumeDevices');
    }
    if (devicePaths.has(target)) {
      yield invalidField(mountPath, target, 'must not already exist as a path in volumeDevices');
    }
    yield* mountOptions(mount, { container, itemPath, listPath: path });
    const { bindMountOptions = [] } = mount;
    if (bindMountOptions.length > 0 && volumes.get(name)?.image) {
      const detail = 'bindMountOptions may not be used with image volumes';
      yield invalidField(childPath(itemPath, 'bindMountOptions'), bindMountOptions, detail);
    }
  }
}

interface MountScope {
  readonly container: Container;
  readonly itemPath: string;
  /** Some errors are reported at the list instead of the item. */
  readonly listPath: string;
}

function* mountOptions(mount: VolumeMount, { container, itemPath, listPath }: MountScope): Errors {
  const { subPath = '', subPathExpr = '' } = mount;
  if (subPath !== '') yield* descendingPath(subPath, childPath(listPath, 'subPath'));
  if (subPathExpr !== '') {
    if (subPath !== '') {
      const detail = 'subPathExpr and subPath are mutually exclusive';
      yield invalidField(childPath(itemPath, 'subPathExpr'), subPathExpr, detail);
    }
    yield* descendingPath(subPathExpr, childPath(listPath, 'subPathExpr'));
  }
  const { mountPropagation, recursiveReadOnly: recursive, bindMountOptions } = mount;
  if (mountPropagation !== undefined) {
    yield* propagation(mountPropagation, container, childPath(listPath, 'mountPropagation'));
  }
  if (recursive !== undefined) yield* recursiveReadOnly(recursive, mount, childPath(listPath, 'recursiveReadOnly'));
  if (bindMountOptions) yield* bindOptions(bindMountOptions, childPath(itemPath, 'bindMountOptions'));
}

function* propagation(value: string, container: Container, path: string): Errors {
  yield* oneOf(['Bidirectional', 'HostToContainer', 'None'])(value, path);
  if (value === 'Bidirectional' && container.securityContext?.privileged !== true) {
    yield forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function* recursiveReadOnly(value: string, { readOnly, mountPropagation = 'None' }: VolumeMount, path: string): Errors {
  if (value === 'Disabled') return;
  if (value !== 'Enabled' && value !== 'IfPossible') {
    return yield notSupportedField(path, value, ['Disabled', 'Enabled', 'IfPossible']);
  }
  if (readOnly !== true) yield forbiddenField(path, 'may only be specified when readOnly is true');
  if (mountPropagation !== 'None') {
    yield forbiddenField(path, 'may only be specified when mountPropagation is None or not specified');
  }
}

function* bindOptions(options: readonly string[], path: string): Errors {
  const isRepeated = repetitions();
  for (const [index, option] of options.entries()) {
    yield* oneOf(['nodev', 'noexec', 'nosuid'])(option, keyPath(path, index));
    if (isRepeated(option)) yield duplicateField(keyPath(path, index), option);
  }
}

export function* volumeDevices(container: Container, volumes: Volumes, path: string): Errors {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = container.volumeMounts ?? [];
  const mountNames = new Set(mounts.map(({ name = '' }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath = '' }) => mountPath));
  for (const [index, device] of (container.volumeDevices ?? []).entries()) {
    const itemPath = keyPath(path, index);
    yield* deviceName(device, { names, volumes, path: childPath(itemPath, 'name') });
    const devicePath = childPath(itemPath, 'devicePath');
    const target = device.devicePath ?? '';
    if (target === '') yield requiredField(devicePath);
    if (paths.has(target)) yield invalidField(devicePath, target, 'must be unique');
    if (target.split('/').includes('..')) yield invalidField(devicePath, target, "can not contain backsteps ('..')");
    else paths.add(target);
    const { name = '' } = device;
    if (mountNames.has(name)) {
      yield invalidField(childPath(itemPath, 'name'), name, 'must not already exist in volumeMounts');
    }
    if (mountPaths.has(target)) {
      yield invalidField(devicePath, target, 'must not already exist as a path in volumeMounts');
    }
    if (!isEmpty(name)) names.add(name);
  }
}

interface DeviceScope {
  readonly names: ReadonlySet<string>;
  readonly volumes: Volumes;
  readonly path: string;
}

function* deviceName({ name = '' }: VolumeDevice, { names, volumes, path }: DeviceScope): Errors {
  if (name === '') yield requiredField(path);
  if (names.has(name)) yield invalidField(path, name, 'must be unique');
  const volume = volumes.get(name);
  if (volume === undefined) yield notFoundField(path, name);
  else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
    const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    yield invalidField(path, name, detail);
  }
}
