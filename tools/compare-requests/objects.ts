/** Objects that scripts are about, in their shortest valid forms. */
const metadataOf = (name: string, more: object): object => ({ name, ...more });

export const places = {
  configMaps: (space: string): string => `/api/v1/namespaces/${space}/configmaps`,
  secrets: (space: string): string => `/api/v1/namespaces/${space}/secrets`,
  services: (space: string): string => `/api/v1/namespaces/${space}/services`,
  pods: (space: string): string => `/api/v1/namespaces/${space}/pods`,
  deployments: (space: string): string => `/apis/apps/v1/namespaces/${space}/deployments`,
  statefulSets: (space: string): string => `/apis/apps/v1/namespaces/${space}/statefulsets`,
  replicaSets: (space: string): string => `/apis/apps/v1/namespaces/${space}/replicasets`,
  custom: (group: string, plural: string, space: string, version = 'v1'): string =>
    `/apis/${group}/${version}/namespaces/${space}/${plural}`,
};

export function configMap(name: string, data: unknown = { a: '1' }, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(name, metadata), data };
}

export function secret(name: string, fields: object = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf(name, metadata), ...fields };
}

export function service(name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(name, metadata), spec };
}

export function podSpec(container: object = {}, more: object = {}): object {
  return { containers: [{ name: 'c', image: 'img:1', ...container }], ...more };
}

export function pod(name: string, container: object = {}, more: object = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: metadataOf(name, metadata), spec: podSpec(container, more) };
}

export function template(container: object = {}, more: object = {}): object {
  return { metadata: { labels: { app: 'x' } }, spec: podSpec(container, more) };
}

function workload(kind: string, name: string, spec: object, metadata: object): object {
  const base = { selector: { matchLabels: { app: 'x' } }, template: template() };
  return { apiVersion: 'apps/v1', kind, metadata: metadataOf(name, metadata), spec: { ...base, ...spec } };
}

export function deployment(name: string, spec: object = {}, metadata: object = {}): object {
  return workload('Deployment', name, spec, metadata);
}

export function statefulSet(name: string, spec: object = {}, metadata: object = {}): object {
  return workload('StatefulSet', name, { serviceName: 's', ...spec }, metadata);
}

export function replicaSet(name: string, spec: object = {}, metadata: object = {}): object {
  return workload('ReplicaSet', name, spec, metadata);
}

/** An instance of a definition. */
export function instance(
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  fields: object = {},
  metadata: object = {},
): object {
  return { apiVersion: `${group}/v1`, kind, metadata: metadataOf(name, metadata), ...fields };
}
