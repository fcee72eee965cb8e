import { posix } from 'node:path';
import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  under,
} from '../../../api/errors/field-error.ts';
import { dnsLabelErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { basicAmount, positiveQuantity } from '../../parts/amounts/quantities.ts';
import * as sources from '../../parts/pod-template/volume-sources.ts';
import { noBacksteps } from '../../parts/rules/forms.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import {
  all,
  dnsLabel,
  dnsSubdomain,
  type Errors,
  fields,
  formErrors,
  immutableMessage,
  inRange,
  isEmpty,
  oneOf,
  optional,
  required,
  requiredAnd,
} from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { internalDiff } from '../../parts/rules/unified-diff.ts';
import { nodeSelector } from '../../parts/selectors/node-selectors.ts';
import { accessModes, volumeMode } from '../../parts/volume-claim/validation.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

type Spec = core.PersistentVolumeSpec;

const secretReference = fields<core.SecretReference>({ name: required(), namespace: required() });

const namedSecret = fields<core.SecretReference>({ name: requiredAnd(dnsSubdomain), namespace: requiredAnd(dnsLabel) });

const csi = fields<core.CSIPersistentVolumeSource>({
  driver: sources.csiDriverName,
  volumeHandle: required(),
  controllerPublishSecretRef: optional(namedSecret),
  controllerExpandSecretRef: optional(namedSecret),
  nodePublishSecretRef: optional(namedSecret),
  nodeExpandSecretRef: optional(namedSecret),
});

const cinder = fields<core.CinderPersistentVolumeSource>({
  volumeID: required(),
  secretRef: optional(secretReference),
});

const local = fields<core.LocalVolumeSource>({ path: requiredAnd(noBacksteps) });

function* glusterfs(source: core.GlusterfsPersistentVolumeSource, path: string): Errors {
  yield* sources.glusterfs(source, path);
  const namespace = source.endpointsNamespace;
  const namespacePath = childPath(path, 'endpointsNamespace');
  if (namespace === '') {
    yield invalidField(namespacePath, '', 'if the endpointnamespace is set, it must be a valid namespace name');
  } else if (namespace !== undefined) yield* formErrors(namespacePath, namespace, dnsLabelErrors(namespace));
}

function* azureFile(source: core.AzureFilePersistentVolumeSource, path: string): Errors {
  yield* sources.azureFile(source, path);
  if (source.secretNamespace === '') yield requiredField(childPath(path, 'secretNamespace'));
}

function* storageos(source: core.StorageOSPersistentVolumeSource, path: string): Errors {
  const { secretRef, ...rest } = source;
  yield* sources.storageos(rest, path);
  if (secretRef) yield* secretReference(secretRef, childPath(path, 'secretRef'));
}

function* iscsi(source: core.ISCSIPersistentVolumeSource, path: string): Errors {
  const name = (value: string, at: string) => sources.iscsiName(value, at, 'must be valid format');
  yield* required()(source.targetPortal, childPath(path, 'targetPortal'));
  yield* requiredAnd(name)(source.iqn, childPath(path, 'iqn'));
  yield* inRange(0, 255)(source.lun, childPath(path, 'lun'));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    yield requiredField(childPath(path, 'secretRef'));
  }
  if (source.secretRef && isEmpty(source.secretRef.name)) yield requiredField(childPath(path, 'secretRef.name'));
  if (source.initiatorName !== undefined) yield* name(source.initiatorName, childPath(path, 'initiatorname'));
}

interface SourceRule {
  readonly name: keyof Spec;
  check(spec: Spec, path: string): Errors;
  readonly innerPath?: string;
  readonly refusedPath?: string;
}

function rule<K extends keyof Spec>(
  name: K,
  check: (source: NonNullable<Spec[K]>, path: string) => Errors,
  paths: Pick<SourceRule, 'innerPath' | 'refusedPath'> = {},
): SourceRule {
  return {
    name,
    ...paths,
    check: (spec, path) => {
      const source = spec[name];
      // Defined, and of the member named by the type parameter.
      return source === undefined ? [] : check(source as NonNullable<Spec[K]>, path);
    },
  };
}

const volumeSources: readonly SourceRule[] = [
  rule('hostPath', sources.hostPath),
  rule('gcePersistentDisk', sources.gcePersistentDisk, { innerPath: 'persistentDisk' }),
  rule('awsElasticBlockStore', sources.awsElasticBlockStore),
  rule('glusterfs', glusterfs),
  rule('flocker', sources.flocker),
  rule('nfs', sources.nfs),
  rule('rbd', sources.rbd),
  rule('quobyte', sources.quobyte),
  rule('cephfs', sources.cephfs, { refusedPath: 'cephFS' }),
  rule('iscsi', iscsi),
  rule('cinder', cinder),
  rule('fc', sources.fc),
  rule('flexVolume', sources.flexVolume),
  rule('azureFile', azureFile),
  rule('vsphereVolume', sources.vsphereVolume),
  rule('photonPersistentDisk', sources.photonPersistentDisk),
  rule('portworxVolume', sources.portworxVolume),
  rule('azureDisk', sources.azureDisk),
  rule('scaleIO', sources.scaleIO),
  rule('local', local),
  rule('storageos', storageos),
  rule('csi', csi),
];

export function* persistentVolume({ spec = {} }: core.PersistentVolume): Errors {
  yield* volumeSpec(spec, 'spec', { inline: false });
}

const notInline = 'may not be specified in the context of inline volumes';

/** `inline`: the volume is part of an attachment rather than an object of its own. */
export function* volumeSpec(spec: Spec, path: string, { inline }: { readonly inline: boolean }): Errors {
  if (inline) yield* inlineSpec(spec, path);
  if (isEmpty(spec.accessModes)) yield requiredField(childPath(path, 'accessModes'));
  yield* accessModes(spec.accessModes ?? [], childPath(path, 'accessModes'));
  if (!inline) yield* capacity(spec, childPath(path, 'capacity'));
  const reclaim = spec.persistentVolumeReclaimPolicy;
  const reclaimPath = childPath(path, 'persistentVolumeReclaimPolicy');
  if (inline) {
    const detail = 'may only be Retain in the context of inline volumes';
    if (!isEmpty(reclaim) && reclaim !== 'Retain') yield forbiddenField(reclaimPath, detail);
  } else if (!isEmpty(reclaim)) yield* oneOf(['Delete', 'Recycle', 'Retain'])(reclaim, reclaimPath);
  yield* nodeConstraints(spec, path, inline);
  yield* volumeSource(spec, path);
  if (reclaim === 'Recycle' && posix.normalize(spec.hostPath?.path ?? '') === '/') {
    yield forbiddenField(reclaimPath, "may not be 'recycle' for a hostPath mount of '/'");
  }
  const classPath = childPath(path, 'storageClassName');
  if (inline && !isEmpty(spec.storageClassName)) yield forbiddenField(classPath, notInline);
  else yield* sources.className(spec.storageClassName, classPath);
  yield* inlineOrMode(spec, path, inline);
  if (!inline) yield* attributesClassOf(spec, path);
}

function* inlineSpec(spec: Spec, path: string): Errors {
  if (spec.claimRef !== undefined) yield forbiddenField(childPath(path, 'claimRef'), notInline);
  if (!isEmpty(spec.capacity)) yield forbiddenField(childPath(path, 'capacity'), notInline);
  if (!spec.csi) yield requiredField(childPath(path, 'csi'), 'has to be specified in the context of inline volumes');
}

function* nodeConstraints({ nodeAffinity }: Spec, path: string, inline: boolean): Errors {
  if (!nodeAffinity) return;
  const { required: selector } = nodeAffinity;
  const selectorPath = childPath(path, 'nodeAffinity.required');
  if (inline) yield forbiddenField(childPath(path, 'nodeAffinity'), notInline);
  else if (selector) yield* nodeSelector(selector, selectorPath);
  else yield requiredField(selectorPath, 'must specify required node constraints');
}

function* inlineOrMode(spec: Spec, path: string, inline: boolean): Errors {
  const modePath = childPath(path, 'volumeMode');
  if (!inline) yield* volumeMode(spec.volumeMode, modePath);
  else if (spec.volumeMode !== undefined && spec.volumeMode !== 'Filesystem') {
    yield forbiddenField(modePath, 'may not specify volumeMode other than Filesystem in the context of inline volumes');
  }
}

function* attributesClassOf(spec: Spec, path: string): Errors {
  const attributes = spec.volumeAttributesClassName;
  if (attributes === undefined) return;
  const attributesPath = childPath(path, 'volumeAttributesClassName');
  if (attributes === '') yield requiredField(attributesPath, 'an empty string is disallowed');
  else yield* dnsSubdomain(attributes, attributesPath);
  if (!spec.csi) {
    yield requiredField(childPath(path, 'csi'), 'has to be specified when using volumeAttributesClassName');
  }
}

function* capacity(spec: Spec, path: string): Errors {
  const { capacity: values = {} } = spec;
  const names = Object.keys(values);
  if (names.length === 0) yield requiredField(path);
  if (names.length !== 1 || names[0] !== 'storage') {
    yield notSupportedField(path, shownField(spec, 'capacity'), ['storage']);
  }
  for (const [name, value] of Object.entries(values)) {
    yield* all<string>(basicAmount, positiveQuantity)(value, keyPath(path, name));
  }
}

function* volumeSource(spec: Spec, path: string): Errors {
  const found = volumeSources.filter(({ name }) => spec[name] !== undefined);
  for (const [index, source] of found.entries()) {
    // As in the reference, flexVolume is validated even if it is not the first source.
    if (index > 0 && source.name !== 'flexVolume') {
      const refusedPath = childPath(path, source.refusedPath ?? source.name);
      yield forbiddenField(refusedPath, 'may not specify more than 1 volume type');
      continue;
    }
    yield* source.check(spec, childPath(path, source.innerPath ?? source.name));
    if (source.name === 'local' && !spec.nodeAffinity) {
      yield requiredField(childPath(path, 'nodeAffinity'), 'Local volume requires node affinity');
    }
  }
  if (found.length === 0) yield requiredField(path, 'must specify a volume type');
}

export function* persistentVolumeUpdate({ spec = {} }: core.PersistentVolume, old: core.PersistentVolume): Errors {
  const before = old.spec ?? {};
  const [now, then] = [sourceOf(spec), sourceOf(before)];
  if (now.csi && then.csi && then.csi.controllerExpandSecretRef === undefined) {
    const { controllerExpandSecretRef: _added, ...rest } = now.csi;
    now.csi = rest;
  }
  if (!sameValue(now, then)) {
    const diff = internalDiff('core.PersistentVolumeSource', then, now);
    yield forbiddenField(
      'spec.persistentvolumesource',
      `spec.persistentvolumesource is immutable after creation\n${diff}`,
    );
  }
  if (spec.volumeMode !== before.volumeMode)
    yield invalidField('volumeMode', spec.volumeMode ?? null, immutableMessage);
  if (before.nodeAffinity && !sameValue(spec.nodeAffinity, before.nodeAffinity)) {
    const value = internalValue('*core.VolumeNodeAffinity', spec.nodeAffinity);
    const error = invalidField('nodeAffinity', value, `${immutableMessage}, except for updating from beta label to GA`);
    yield* under('MutablePVNodeAffinity off', [error]);
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    yield forbiddenField('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden');
  }
}

function sourceOf(spec: Spec): Spec {
  return Object.fromEntries(
    volumeSources.flatMap(({ name }) => (spec[name] === undefined ? [] : [[name, spec[name]]])),
  );
}
