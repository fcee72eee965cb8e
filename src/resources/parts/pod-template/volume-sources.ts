import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { sign } from '../amounts/quantities.ts';
import { descendingPath, noBacksteps, volumeFilePath } from '../rules/forms.ts';
import {
  all,
  type Count,
  dnsLabel,
  dnsSubdomain,
  each,
  type Errors,
  fields,
  formErrors,
  idNumber,
  inRange,
  oneOf,
  optional,
  required,
  requiredAnd,
  type Rule,
} from '../rules/rules.ts';

// Volume sources of pods and persistent volumes.

const modeMessage = 'must be a number between 0 and 0777 (octal), both inclusive';
export const fileMode: Rule<Count> = optional<Count>(inRange(0, 0o777, modeMessage));
const byteRange = inRange(0, 255);
const partition = inRange(0, 255, 'must be between 1 and 255, inclusive');

export function* emptyDir({ sizeLimit, mode }: core.EmptyDirVolumeSource, path: string): Errors {
  if (sizeLimit !== undefined && sign(sizeLimit) < 0) {
    yield forbiddenField(childPath(path, 'sizeLimit'), 'SizeLimit field must be a valid resource quantity');
  }
  const message = 'must be a number between 0 and 01777 (octal), both inclusive';
  if (mode !== undefined) yield* inRange(0, 0o1777, message)(mode, childPath(path, 'mode'));
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function* hostPath(source: core.HostPathVolumeSource, path: string): Errors {
  if ((source.path ?? '') === '') return yield requiredField(childPath(path, 'path'));
  yield* noBacksteps(source.path, childPath(path, 'path'));
  yield* oneOf(hostPathTypes)(source.type, childPath(path, 'type'));
}

export const gitRepo = fields<core.GitRepoVolumeSource>({ repository: required(), directory: descendingPath });
export const gcePersistentDisk = fields<core.GCEPersistentDiskVolumeSource>({ pdName: required(), partition });
export const awsElasticBlockStore = fields<core.AWSElasticBlockStoreVolumeSource>({ volumeID: required(), partition });

export const keyToPath = fields<core.KeyToPath>({
  key: required(),
  path: all<string | undefined>(required(), volumeFilePath),
  mode: fileMode,
  user: idNumber,
});

type WithDefaultUser = { defaultUser?: number | bigint };

export const secret = fields<core.SecretVolumeSource & WithDefaultUser>({
  secretName: required(),
  defaultMode: fileMode,
  defaultUser: idNumber,
  items: each(keyToPath),
});
export const configMap = fields<core.ConfigMapVolumeSource & WithDefaultUser>({
  name: required(),
  defaultMode: fileMode,
  defaultUser: idNumber,
  items: each(keyToPath),
});
export const persistentVolumeClaim = fields<core.PersistentVolumeClaimVolumeSource>({ claimName: required() });

function* absolutePath(value: string | undefined, path: string): Errors {
  yield* required()(value, path);
  if (value?.startsWith('/') !== true) yield invalidField(path, value ?? '', 'must be an absolute path');
}

export const nfs = fields<core.NFSVolumeSource>({ server: required(), path: absolutePath });
export const glusterfs = fields<core.GlusterfsVolumeSource>({ endpoints: required(), path: required() });
export const rbd = fields<core.RBDVolumeSource>({ monitors: required(), image: required() });
export const cephfs = fields<core.CephFSVolumeSource>({ monitors: required() });
export const vsphereVolume = fields<core.VsphereVirtualDiskVolumeSource>({ volumePath: required() });
export const photonPersistentDisk = fields<core.PhotonPersistentDiskVolumeSource>({ pdID: required() });
export const portworxVolume = fields<core.PortworxVolumeSource>({ volumeID: required() });
export const scaleIO = fields<core.ScaleIOVolumeSource>({
  gateway: required(),
  system: required(),
  volumeName: required(),
});
export const azureFile = fields<core.AzureFileVolumeSource>({ secretName: required(), shareName: required() });

const localSecret = optional(fields<core.LocalObjectReference>({ name: required() }));
export const cinder = fields<core.CinderVolumeSource>({ volumeID: required(), secretRef: localSecret });
export const storageos = fields<core.StorageOSVolumeSource>({
  volumeName: requiredAnd(dnsLabel),
  volumeNamespace: (value, path) => (value === undefined || value === '' ? [] : dnsLabel(value, path)),
  secretRef: localSecret,
});

const quobytePairs = 'must be a host:port pair or multiple pairs separated by commas';

export function* quobyte({ registry = '', tenant = '', volume }: core.QuobyteVolumeSource, path: string): Errors {
  const registryPath = childPath(path, 'registry');
  if (registry === '') yield requiredField(registryPath, quobytePairs);
  else if (tenant.length >= 65) {
    yield requiredField(childPath(path, 'tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of registry.split(',')) {
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) yield invalidField(registryPath, registry, quobytePairs);
    }
  }
  yield* required()(volume, childPath(path, 'volume'));
}

export function* flocker({ datasetName = '', datasetUUID = '' }: core.FlockerVolumeSource, path: string): Errors {
  if (datasetName === '' && datasetUUID === '') {
    yield requiredField(path, 'one of datasetName and datasetUUID is required');
  }
  if (datasetName !== '' && datasetUUID !== '') {
    yield invalidField(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (datasetName.includes('/')) {
    yield invalidField(childPath(path, 'datasetName'), datasetName, "must not contain '/'");
  }
}

export function* fc({ targetWWNs = [], wwids = [], lun }: core.FCVolumeSource, path: string): Errors {
  const targetsPath = childPath(path, 'targetWWNs');
  if (targetWWNs.length === 0 && wwids.length === 0) {
    yield requiredField(targetsPath, 'must specify either targetWWNs or wwids, but not both');
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    yield invalidField(targetsPath, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (targetWWNs.length === 0) return;
  if (lun === undefined) yield requiredField(childPath(path, 'lun'), 'lun is required if targetWWNs is specified');
  else yield* byteRange(lun, childPath(path, 'lun'));
}

export function* flexVolume(source: core.FlexVolumeSource, path: string): Errors {
  yield* required()(source.driver, childPath(path, 'driver'));
  for (const key of Object.keys(source.options ?? {})) {
    const namespace = key.split('/')[0] ?? '';
    if (!/(^|\.)(kubernetes|k8s)\.io$/.test(namespace.toLowerCase())) continue;
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    yield invalidField(keyPath(childPath(path, 'options'), key), key, detail);
  }
}

const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function* azureDisk(source: core.AzureDiskVolumeSource, path: string): Errors {
  yield* fields<core.AzureDiskVolumeSource>({
    diskName: required(),
    diskURI: required(),
    cachingMode: oneOf(['None', 'ReadOnly', 'ReadWrite']),
    kind: oneOf(['Dedicated', 'Managed', 'Shared']),
  })(source, path);
  const { kind, diskURI = '' } = source;
  if (kind === undefined) return;
  const [prefix, example] = kind === 'Managed' ? ['/subscriptions/', managedDisk] : ['https://', blobDisk];
  if (!diskURI.startsWith(prefix)) yield notSupportedField(childPath(path, 'diskURI'), diskURI, [example]);
}

const iscsiNames: readonly { readonly prefix: string; isName(value: string): boolean }[] = [
  { prefix: 'iqn', isName: endsInQualifiedName },
  { prefix: 'eui', isName: (value) => /^eui.[a-zA-Z0-9]{16}$/.test(value) },
  { prefix: 'naa', isName: (value) => /^naa.[a-zA-Z0-9]{32}$/.test(value) },
];

/** `iqn.2001-04.com.example:storage`, with any prefix. */
function endsInQualifiedName(value: string): boolean {
  const parts =
    value
      .split(/[,;*&$|\t\n\f\r ]/)
      .at(-1)
      ?.split(':') ?? [];
  const followed = parts.slice(0, parts.at(-1) === '' ? -2 : -1);
  return followed.some((part) => {
    if (!part.includes('iqn.')) return false;
    const domain = part.split(/[^a-zA-Z0-9.-]/).at(-1) ?? '';
    return /iqn\.\d{4}-\d{2}\.[a-zA-Z0-9.-]/.test(domain);
  });
}

/** `unknownDetail` is the error detail for names of none of the three types. */
export function iscsiName(value: string, path: string, unknownDetail: string): Errors {
  const kind = iscsiNames.find(({ prefix }) => value.startsWith(prefix));
  if (kind === undefined) return [invalidField(path, value, unknownDetail)];
  return kind.isName(value) ? [] : [invalidField(path, value, 'must be valid format')];
}

export function* iscsi(source: core.ISCSIVolumeSource, path: string): Errors {
  const unknown = 'must be valid format starting with iqn, eui, or naa';
  yield* required()(source.targetPortal, childPath(path, 'targetPortal'));
  yield* requiredAnd<string>((value, at) => iscsiName(value, at, unknown))(source.iqn, childPath(path, 'iqn'));
  yield* byteRange(source.lun, childPath(path, 'lun'));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    yield requiredField(childPath(path, 'secretRef'));
  }
  if (source.initiatorName !== undefined) {
    yield* iscsiName(source.initiatorName, childPath(path, 'initiatorname'), unknown);
  }
}

export function* csiDriverName(name: string | undefined, path: string): Errors {
  if (name === undefined || name === '') return yield requiredField(path);
  if (Buffer.byteLength(name) > 63)
    yield { type: 'FieldValueTooLong', field: path, detail: 'may not be more than 63 bytes' };
  yield* formErrors(path, name, dnsSubdomainErrors(name.toLowerCase()));
}

export function* csi(source: core.CSIVolumeSource, path: string): Errors {
  yield* csiDriverName(source.driver, childPath(path, 'driver'));
  if (!source.nodePublishSecretRef) return;
  const name = source.nodePublishSecretRef.name ?? '';
  if (name === '') yield requiredField(childPath(path, 'nodePublishSecretRef.name'));
  else yield* formErrors(childPath(path, 'name'), name, dnsSubdomainErrors(name));
}

export const className = (value: string | undefined, path: string): Errors =>
  value === undefined || value === '' ? [] : dnsSubdomain(value, path);
