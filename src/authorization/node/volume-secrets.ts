import type { PersistentVolume } from '../../schema/kubernetes/generated/types/core-v1.ts';

interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

type Reference = { readonly namespace?: string | undefined; readonly name?: string | undefined } | undefined;

/** The secrets that a kubelet needs to mount a volume. Most sources without a namespace use that of the claim. */
export function* secretsOfVolume({ spec = {} }: PersistentVolume): Generator<SecretName> {
  const home = spec.claimRef?.namespace ?? '';
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec;
  yield* named({ name: azureFile?.secretName, namespace: azureFile?.secretNamespace }, home);
  for (const source of [cephfs, flexVolume, iscsi, rbd, scaleIO]) yield* named(source?.secretRef, home);
  for (const source of [cinder, storageos]) yield* named(source?.secretRef, '');
  for (const secret of [csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef]) {
    yield* named(secret, '');
  }
}

function* named(reference: Reference, home: string): Generator<SecretName> {
  const { name = '', namespace = '' } = reference ?? {};
  if (name !== '') yield { name, namespace: namespace || home };
}
