import type { BootstrapRole } from './bootstrap-rows.ts';

/** Roles in single namespaces. */
export const namespacedRoles: readonly BootstrapRole[] = [
  {
    namespace: 'kube-public',
    name: 'system:controller:bootstrap-signer',
    rules: [
      'get,list,watch core configmaps',
      'update core configmaps cluster-info',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    namespace: 'kube-system',
    name: 'extension-apiserver-authentication-reader',
    rules: ['get,list,watch core configmaps extension-apiserver-authentication'],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-controller-manager',
    rules: [
      'create,get,list,update,watch coordination.k8s.io leases',
      'create,get,list,update,watch coordination.k8s.io leasecandidates',
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-scheduler',
    rules: [
      'create,get,list,update,watch coordination.k8s.io leases',
      'create,get,list,update,watch coordination.k8s.io leasecandidates',
    ],
  },
  { namespace: 'kube-system', name: 'system:controller:bootstrap-signer', rules: ['get,list,watch core secrets'] },
  {
    namespace: 'kube-system',
    name: 'system:controller:cloud-provider',
    rules: ['create,get,list,watch core configmaps'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:token-cleaner',
    rules: ['delete,get,list,watch core secrets', 'create,patch,update core,events.k8s.io events'],
  },
];
