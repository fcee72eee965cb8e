import { key } from './configurations.ts';

/** A provider that two servers share, how its values begin, and a resource that it encrypts. */
export interface SharedProvider {
  readonly name: string;
  readonly provider: (endpoint: string) => object;
  readonly prefix: string;
  /** As the configuration names it. */
  readonly resource: string;
  readonly path: string;
  /** In the store. */
  readonly place: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly more?: object;
}

const keys = (length: number) => ({ keys: [{ name: 'key1', secret: key(0x61, length) }] });
const aes = (mode: 'aescbc' | 'aesgcm', bytes: number) => ({
  name: `${mode} ${bytes * 8}`,
  provider: () => ({ [mode]: keys(bytes) }),
  prefix: `k8s:enc:${mode}:v1:key1:`,
});

const core = (resource: string, kind: string, more: object = {}) => ({
  resource,
  kind,
  more,
  apiVersion: 'v1',
  path: `/api/v1/namespaces/default/${resource}`,
  place: `/registry/${resource}/default/`,
});

/** A resource of a group, such as `roles.rbac.authorization.k8s.io`; of the cluster if `namespace` is empty. */
const grouped = (name: string, kind: string, more: object, namespace = 'default/') => {
  const [resource = ''] = name.split('.', 1);
  const group = name.slice(resource.length + 1);
  return {
    resource: name,
    kind,
    more,
    apiVersion: `${group}/v1`,
    path: `/apis/${group}/v1/${namespace === '' ? '' : `namespaces/${namespace}`}${resource}`,
    place: `/registry/${resource}/${namespace}`,
  };
};

/** Every provider, with every size of its keys. */
export const sharedProviders: readonly SharedProvider[] = [
  { ...aes('aescbc', 16), ...core('secrets', 'Secret') },
  { ...aes('aescbc', 24), ...core('configmaps', 'ConfigMap') },
  { ...aes('aescbc', 32), ...core('serviceaccounts', 'ServiceAccount') },
  { ...aes('aesgcm', 16), ...core('limitranges', 'LimitRange', { spec: { limits: [] } }) },
  { ...aes('aesgcm', 24), ...grouped('leases.coordination.k8s.io', 'Lease', {}) },
  { ...aes('aesgcm', 32), ...grouped('roles.rbac.authorization.k8s.io', 'Role', { rules: [] }) },
  {
    name: 'secretbox',
    provider: () => ({ secretbox: keys(32) }),
    prefix: 'k8s:enc:secretbox:v1:key1:',
    ...grouped('networkpolicies.networking.k8s.io', 'NetworkPolicy', { spec: { podSelector: {} } }),
  },
  {
    name: 'kms v1',
    provider: (endpoint) => ({ kms: { apiVersion: 'v1', name: 'one', endpoint } }),
    prefix: 'k8s:enc:kms:v1:one:',
    ...grouped('priorityclasses.scheduling.k8s.io', 'PriorityClass', { value: 5 }, ''),
  },
  {
    name: 'kms v2',
    provider: (endpoint) => ({ kms: { apiVersion: 'v2', name: 'two', endpoint } }),
    prefix: 'k8s:enc:kms:v2:two:',
    ...grouped('storageclasses.storage.k8s.io', 'StorageClass', { provisioner: 'example.com/x' }, ''),
  },
];
