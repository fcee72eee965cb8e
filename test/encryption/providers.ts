import { key } from './configurations.ts';

/** A configuration that two servers share, and how its values begin. */
export interface SharedProvider {
  readonly name: string;
  readonly provider: (endpoint: string) => object;
  readonly prefix: string;
}

const keys = (length: number) => ({ keys: [{ name: 'key1', secret: key(0x61, length) }] });

/** Every provider, with every size of its keys. */
export const sharedProviders: readonly SharedProvider[] = [
  ...[16, 24, 32].map((length) => ({
    ...{ name: `aescbc ${length * 8}`, provider: () => ({ aescbc: keys(length) }), prefix: 'k8s:enc:aescbc:v1:key1:' },
  })),
  ...[16, 24, 32].map((length) => ({
    ...{ name: `aesgcm ${length * 8}`, provider: () => ({ aesgcm: keys(length) }), prefix: 'k8s:enc:aesgcm:v1:key1:' },
  })),
  { name: 'secretbox', provider: () => ({ secretbox: keys(32) }), prefix: 'k8s:enc:secretbox:v1:key1:' },
  {
    name: 'kms v1',
    provider: (endpoint) => ({ kms: { apiVersion: 'v1', name: 'one', endpoint } }),
    prefix: 'k8s:enc:kms:v1:one:',
  },
  {
    name: 'kms v2',
    provider: (endpoint) => ({ kms: { apiVersion: 'v2', name: 'two', endpoint } }),
    prefix: 'k8s:enc:kms:v2:two:',
  },
];
