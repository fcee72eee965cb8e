import type { Container, EphemeralContainer, Pod, Volume } from './generated/types/core-v1.ts';

/** Names of the secrets that a pod uses. */
export function* secretsOfPod({ spec = {} }: Pod): Generator<string> {
  for (const { name } of spec.imagePullSecrets ?? []) yield* named(name);
  for (const container of containersOf(spec)) {
    for (const { secretRef } of container.envFrom ?? []) yield* named(secretRef?.name);
    for (const { valueFrom } of container.env ?? []) yield* named(valueFrom?.secretKeyRef?.name);
  }
  for (const volume of spec.volumes ?? []) yield* secretsOfVolume(volume);
}

/** Names of the ConfigMaps that a pod uses. */
export function* configMapsOfPod({ spec = {} }: Pod): Generator<string> {
  for (const container of containersOf(spec)) {
    for (const { configMapRef } of container.envFrom ?? []) yield* named(configMapRef?.name);
    for (const { valueFrom } of container.env ?? []) yield* named(valueFrom?.configMapKeyRef?.name);
  }
  for (const { projected, configMap } of spec.volumes ?? []) {
    yield* named(configMap?.name);
    for (const source of projected?.sources ?? []) yield* named(source.configMap?.name);
  }
}

/** The claim of a volume: a named one, or the one created for an ephemeral volume. */
export function claimOfVolume({ metadata = {} }: Pod, volume: Volume): string | undefined {
  const { persistentVolumeClaim, ephemeral, name = '' } = volume;
  if (persistentVolumeClaim !== undefined) return persistentVolumeClaim.claimName;
  return ephemeral === undefined ? undefined : `${metadata.name ?? ''}-${name}`;
}

function containersOf(spec: NonNullable<Pod['spec']>): readonly (Container | EphemeralContainer)[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers];
}

function* secretsOfVolume(volume: Volume): Generator<string> {
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, projected, rbd, scaleIO, secret, storageos } = volume;
  yield* named(azureFile?.secretName);
  yield* named(secret?.secretName);
  yield* named(csi?.nodePublishSecretRef?.name);
  for (const source of [cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos])
    yield* named(source?.secretRef?.name);
  for (const source of projected?.sources ?? []) yield* named(source.secret?.name);
}

function* named(name: string | undefined): Generator<string> {
  if (name !== undefined && name !== '') yield name;
}
