import type { BootstrapBinding } from './bootstrap-rows.ts';

/** Bindings that were split from another one, which may have been customised in older releases. */
export const splitBindings: ReadonlyMap<string, string> = new Map([['system:public-info-viewer', 'system:discovery']]);

/** Bindings of all roles but those of controllers. */
export const bindings: readonly BootstrapBinding[] = [
  { name: 'cluster-admin', subjects: ['group system:masters'] },
  { name: 'system:basic-user', subjects: ['group system:authenticated'] },
  { name: 'system:cluster-trust-bundle-discovery', subjects: ['group system:serviceaccounts'] },
  { name: 'system:discovery', subjects: ['group system:authenticated'] },
  { name: 'system:kube-controller-manager', subjects: ['user system:kube-controller-manager'] },
  { name: 'system:kube-dns', subjects: ['account kube-system/kube-dns'] },
  { name: 'system:kube-scheduler', subjects: ['user system:kube-scheduler'] },
  { name: 'system:monitoring', subjects: ['group system:monitoring'] },
  { name: 'system:node', subjects: [] },
  { name: 'system:node-proxier', subjects: ['user system:kube-proxy'] },
  { name: 'system:public-info-viewer', subjects: ['group system:authenticated', 'group system:unauthenticated'] },
  { name: 'system:service-account-issuer-discovery', subjects: ['group system:serviceaccounts'] },
  { name: 'system:volume-scheduler', subjects: ['user system:kube-scheduler'] },
  {
    namespace: 'kube-public',
    name: 'system:controller:bootstrap-signer',
    subjects: ['account kube-system/bootstrap-signer'],
  },
  {
    namespace: 'kube-system',
    name: 'system::extension-apiserver-authentication-reader',
    role: 'extension-apiserver-authentication-reader',
    subjects: ['user system:kube-controller-manager', 'user system:kube-scheduler'],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-controller-manager',
    subjects: [
      'user system:kube-controller-manager',
      'account kube-system/kube-controller-manager',
      'account kube-system/leader-election-controller',
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-scheduler',
    subjects: ['user system:kube-scheduler', 'account kube-system/kube-scheduler'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:bootstrap-signer',
    subjects: ['account kube-system/bootstrap-signer'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:cloud-provider',
    subjects: ['account kube-system/cloud-provider'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:token-cleaner',
    subjects: ['account kube-system/token-cleaner'],
  },
];
