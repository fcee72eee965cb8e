import { generateName } from '../../../registry/write/metadata.ts';
import type { PodSpec, Volume } from '../../../schema/kubernetes/generated/types/core-v1.ts';

const prefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, and some seconds by which it can be told from one that somebody has asked for. */
const expirationSeconds = 3607;

/** Mounts the token in every container without a mount at its path; an existing volume of the prefix is reused. */
export function mountToken(spec: PodSpec): void {
  const known = (spec.volumes ?? []).find(({ name = '' }) => name.startsWith(prefix));
  const name = known?.name ?? generateName(prefix);
  const bare = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some((mount) => mount.mountPath === mountPath),
  );
  for (const container of bare) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  }
  if (known === undefined && bare.length > 0) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

/** The token, whom to trust, and the name of the namespace. */
function tokenVolume(name: string): Volume {
  const namespace = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  const sources = [
    { serviceAccountToken: { path: 'token', expirationSeconds } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: namespace }] } },
  ];
  return { name, projected: { defaultMode: 0o644, sources } };
}
