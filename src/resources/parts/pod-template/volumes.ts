import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { findingsOfItems, joined, allOf } from '../../../api/errors/findings.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { type Errors, formErrors, isEmpty } from '../rules/rules.ts';
import { persistentVolumeClaimTemplate } from '../volume-claim/validation.ts';
import { pullPolicy } from './image-tag.ts';
import { downwardApi, projected } from './projected-volumes.ts';
import * as sources from './volume-sources.ts';

// The volumes of a pod.

type Sources = Omit<core.Volume, 'name'>;
type SourceName = keyof Sources;

/** One volume source. */
interface SourceRule {
  readonly name: SourceName;
  check(volume: Sources, path: string): Errors;
  /** Path elements that the reference spells differently from the field. */
  readonly innerPath?: string;
  readonly refusedPath?: string;
}

function rule<K extends SourceName>(
  name: K,
  check: (source: NonNullable<Sources[K]>, path: string) => Errors,
  paths: Pick<SourceRule, 'innerPath' | 'refusedPath'> = {},
): SourceRule {
  return {
    name,
    ...paths,
    check: (volume, path) => {
      const source = volume[name];
      // The type parameter determines the source; it is defined after the check.
      return source === undefined ? [] : check(source as NonNullable<Sources[K]>, path);
    },
  };
}

const volumeSources: readonly SourceRule[] = [
  rule('emptyDir', sources.emptyDir),
  rule('hostPath', sources.hostPath),
  rule('gitRepo', sources.gitRepo),
  rule('gcePersistentDisk', sources.gcePersistentDisk, { innerPath: 'persistentDisk' }),
  rule('awsElasticBlockStore', sources.awsElasticBlockStore),
  rule('secret', sources.secret),
  rule('nfs', sources.nfs),
  rule('iscsi', sources.iscsi),
  rule('glusterfs', sources.glusterfs),
  rule('flocker', sources.flocker),
  rule('persistentVolumeClaim', sources.persistentVolumeClaim),
  rule('rbd', sources.rbd),
  rule('cinder', sources.cinder),
  rule('cephfs', sources.cephfs, { refusedPath: 'cephFS' }),
  rule('quobyte', sources.quobyte),
  rule('downwardAPI', downwardApi, { refusedPath: 'downwarAPI' }),
  rule('fc', sources.fc),
  rule('flexVolume', sources.flexVolume),
  rule('configMap', sources.configMap),
  rule('azureFile', sources.azureFile),
  rule('vsphereVolume', sources.vsphereVolume),
  rule('photonPersistentDisk', sources.photonPersistentDisk),
  rule('portworxVolume', sources.portworxVolume),
  rule('azureDisk', sources.azureDisk),
  rule('storageos', sources.storageos),
  rule('projected', projected),
  rule('scaleIO', sources.scaleIO),
  rule('csi', sources.csi),
  rule('ephemeral', ephemeral),
  rule('image', image),
];

const sourcesByName: ReadonlyMap<string, SourceRule> = new Map(volumeSources.map((source) => [source.name, source]));

function* ephemeral({ volumeClaimTemplate }: core.EphemeralVolumeSource, path: string): Errors {
  const templatePath = childPath(path, 'volumeClaimTemplate');
  if (volumeClaimTemplate === undefined) yield requiredField(templatePath);
  else yield* persistentVolumeClaimTemplate(volumeClaimTemplate, templatePath);
}

function* image({ reference = '', pullPolicy: policy }: core.ImageVolumeSource, path: string): Errors {
  if (reference === '') yield requiredField(childPath(path, 'reference'));
  yield* pullPolicy(policy, childPath(path, 'pullPolicy'));
}

/** Valid volume names of the pod, with their sources. */
export type Volumes = ReadonlyMap<string, core.Volume>;

/** Fills `wellFormed`; `meta` is that of a pod, absent for templates. */
export function* volumes(
  list: readonly core.Volume[],
  path: string,
  { meta, wellFormed }: { readonly meta: ObjectMeta | undefined; readonly wellFormed: Map<string, core.Volume> },
): Errors {
  const podName = meta?.name ?? '';
  const createdClaims = new Set(
    list.filter((volume) => podName !== '' && volume.ephemeral).map(({ name = '' }) => `${podName}-${name}`),
  );
  for (const [index, volume] of list.entries()) {
    const itemPath = keyPath(path, index);
    const { name = '' } = volume;
    const namePath = childPath(itemPath, 'name');
    const errors = allOf(volumeSource(volume, itemPath, podName));
    if (isEmpty(name)) errors.push(requiredField(namePath));
    else errors.push(...formErrors(namePath, name, dnsLabelErrors(name)));
    if (wellFormed.has(name)) errors.push(duplicateField(namePath, name));
    if (errors.length === 0) wellFormed.set(name, volume);
    yield* errors;
    const claimName = volume.persistentVolumeClaim?.claimName ?? '';
    if (volume.persistentVolumeClaim && createdClaims.has(claimName)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      yield invalidField(childPath(itemPath, 'persistentVolumeClaim.claimName'), claimName, detail);
    }
  }
}

function volumeSource(volume: core.Volume, path: string, podName: string): Errors {
  const found = sourcesOf(volume);
  if (found.length === 0) return [requiredField(path, 'must specify a volume type')];
  return findingsOfItems(found, (source, index) =>
    joined(
      index === 0
        ? source.check(volume, childPath(path, source.innerPath ?? source.name))
        : [
            forbiddenField(
              childPath(path, source.refusedPath ?? source.name),
              'may not specify more than 1 volume type',
            ),
          ],
      source.name === 'iscsi' ? iscsiLength(volume, path) : [],
      source.name === 'ephemeral' && index === 0 ? createdClaim(volume, path, podName) : [],
    ),
  );
}

/** In the order of the table. A volume has fewer fields than there are sources, nearly always one. */
function sourcesOf(volume: core.Volume): readonly SourceRule[] {
  const found: SourceRule[] = [];
  for (const field in volume) {
    const source = sourcesByName.get(field);
    if (source !== undefined && volume[source.name] !== undefined) found.push(source);
  }
  return found.length > 1 ? volumeSources.filter((source) => found.includes(source)) : found;
}

/** The claim that is created for an ephemeral volume. */
function createdClaim({ name = '' }: core.Volume, path: string, podName: string): Errors {
  if (podName === '' || name === '') return [];
  const claim = `${podName}-${name}`;
  return dnsSubdomainErrors(claim).map((text) =>
    invalidField(childPath(path, 'name'), name, `PVC name ${goQuote(claim)}: ${text}`),
  );
}

function* iscsiLength({ name = '', iscsi }: core.Volume, path: string): Errors {
  if (iscsi?.initiatorName === undefined || `${name}:${iscsi.targetPortal ?? ''}`.length <= 64) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  yield invalidField(childPath(path, 'name'), name, detail);
}
