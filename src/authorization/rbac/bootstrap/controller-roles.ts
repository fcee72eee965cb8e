import type { BootstrapRole } from './bootstrap-rows.ts';

/** Roles of controllers; each is bound to the service account of the same name. */
export const controllerRoles: readonly BootstrapRole[] = [
  {
    name: 'attachdetach-controller',
    rules: [
      'list,watch core persistentvolumeclaims,persistentvolumes',
      'get,list,watch core nodes',
      'patch,update core nodes/status',
      'list,watch core pods',
      'create,patch,update core,events.k8s.io events',
      'create,delete,get,list,watch storage.k8s.io volumeattachments',
      'get,list,watch storage.k8s.io csidrivers',
      'get,list,watch storage.k8s.io csinodes',
    ],
  },
  {
    name: 'certificate-controller',
    rules: [
      'delete,get,list,watch certificates.k8s.io certificatesigningrequests',
      'update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status',
      'approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet',
      'sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown',
      'create authorization.k8s.io subjectaccessreviews',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'clusterrole-aggregation-controller',
    rules: ['escalate,get,list,patch,update,watch rbac.authorization.k8s.io clusterroles'],
  },
  {
    name: 'cronjob-controller',
    rules: [
      'get,list,update,watch batch cronjobs',
      'create,delete,get,list,patch,update,watch batch jobs',
      'update batch cronjobs/status',
      'update batch cronjobs/finalizers',
      'delete,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'daemon-set-controller',
    rules: [
      'get,list,watch apps,extensions daemonsets',
      'update apps,extensions daemonsets/status',
      'update apps,extensions daemonsets/finalizers',
      'list,watch core nodes',
      'create,delete,list,patch,watch core pods',
      'create core pods/binding',
      'create,delete,get,list,patch,update,watch apps controllerrevisions',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'deployment-controller',
    rules: [
      'get,list,update,watch apps,extensions deployments',
      'update apps,extensions deployments/status',
      'update apps,extensions deployments/finalizers',
      'create,delete,get,list,patch,update,watch apps,extensions replicasets',
      'get,list,update,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'device-taint-eviction-controller',
    rules: [
      'delete,get,list,watch core pods',
      'patch,update core pods/status',
      'get,list,watch resource.k8s.io resourceclaims',
      'get,list,watch resource.k8s.io resourceslices',
      'get,list,watch resource.k8s.io deviceclasses',
      'create,patch,update core,events.k8s.io events',
      { rule: 'patch,update resource.k8s.io devicetaintrules/status', gate: 'DRADeviceTaintRules' },
      { rule: 'get,list,watch resource.k8s.io devicetaintrules', gate: 'DRADeviceTaintRules' },
    ],
  },
  {
    name: 'disruption-controller',
    rules: [
      'get,list,watch apps,extensions deployments',
      'get,list,watch apps,extensions replicasets',
      'get,list,watch core replicationcontrollers',
      'get,list,watch policy poddisruptionbudgets',
      'get,list,watch apps statefulsets',
      'update policy poddisruptionbudgets/status',
      'patch,update core pods/status',
      'get * */scale',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'endpoint-controller',
    rules: [
      'get,list,watch core pods,services',
      'create,delete,get,list,update,watch core endpoints',
      'create core endpoints/restricted',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'endpointslice-controller',
    rules: [
      'get,list,watch core nodes,pods,services',
      'update core services/finalizers',
      'create,delete,get,list,update,watch discovery.k8s.io endpointslices',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'endpointslicemirroring-controller',
    rules: [
      'get,list,watch core endpoints,services',
      'update core services/finalizers',
      'update core endpoints/finalizers',
      'create,delete,get,list,update,watch discovery.k8s.io endpointslices',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'ephemeral-volume-controller',
    rules: [
      'get,list,watch core pods',
      'update core pods/finalizers',
      'create,get,list,watch core persistentvolumeclaims',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'expand-controller',
    rules: [
      'get,list,patch,update,watch core persistentvolumes',
      'patch,update core persistentvolumeclaims/status',
      'get,list,watch core persistentvolumeclaims',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'generic-garbage-collector',
    rules: ['delete,get,list,patch,update,watch * *', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'horizontal-pod-autoscaler',
    rules: [
      'get,list,watch autoscaling horizontalpodautoscalers',
      'update autoscaling horizontalpodautoscalers/status',
      'get,update * */scale',
      'list,watch core pods',
      'list,watch metrics.k8s.io pods',
      'get,list,watch custom.metrics.k8s.io *',
      'get,list,watch external.metrics.k8s.io *',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'job-controller',
    rules: [
      'get,list,patch,update,watch batch jobs',
      'update batch jobs/status',
      'update batch jobs/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
      { rule: 'create,get,list,patch,update,watch scheduling.k8s.io podgroups,workloads', gate: 'WorkloadWithJob' },
    ],
  },
  {
    name: 'kube-apiserver-serving-clustertrustbundle-publisher',
    rules: [
      'attest certificates.k8s.io signers kubernetes.io/kube-apiserver-serving',
      'create,delete,list,update,watch certificates.k8s.io clustertrustbundles',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'legacy-service-account-token-cleaner',
    rules: ['get core configmaps kube-apiserver-legacy-service-account-token-tracking', 'delete,patch core secrets'],
  },
  {
    name: 'namespace-controller',
    rules: [
      'delete,get,list,watch core namespaces',
      'update core namespaces/finalize,namespaces/status',
      'delete,deletecollection,get,list,watch * *',
    ],
  },
  {
    name: 'node-controller',
    rules: [
      'delete,get,list,patch,update,watch core nodes',
      'patch,update core nodes/status',
      'patch,update core pods/status',
      'delete,get,list,watch core pods',
      'get,list,watch coordination.k8s.io leases',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'persistent-volume-binder',
    rules: [
      'create,delete,get,list,update,watch core persistentvolumes',
      'update core persistentvolumes/status',
      'get,list,update,watch core persistentvolumeclaims',
      'update core persistentvolumeclaims/status',
      'create,delete,get,list,watch core pods',
      'get,list,watch storage.k8s.io storageclasses',
      'list,watch core nodes',
      'create,patch,update core,events.k8s.io events',
      'watch core events',
    ],
  },
  {
    name: 'pod-garbage-collector',
    rules: ['delete,list,watch core pods', 'get,list,watch core nodes', 'patch core pods/status'],
  },
  { name: 'podcertificaterequestcleaner', rules: ['delete,get,list,watch certificates.k8s.io podcertificaterequests'] },
  {
    name: 'podgroup-protection-controller',
    gate: 'GenericWorkload',
    rules: ['get,list,update,watch scheduling.k8s.io podgroups', 'get,list,watch core pods'],
  },
  {
    name: 'pv-protection-controller',
    rules: ['get,list,update,watch core persistentvolumes', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'pvc-protection-controller',
    rules: [
      'get,list,update,watch core persistentvolumeclaims',
      'update core persistentvolumeclaims/status',
      'get,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'replicaset-controller',
    rules: [
      'get,list,update,watch apps,extensions replicasets',
      'update apps,extensions replicasets/status',
      'update apps,extensions replicasets/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'replication-controller',
    rules: [
      'get,list,update,watch core replicationcontrollers',
      'update core replicationcontrollers/status',
      'update core replicationcontrollers/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'resource-claim-controller',
    rules: [
      'get,list,watch core pods',
      'update core pods/finalizers',
      'create,delete,get,list,watch resource.k8s.io resourceclaims',
      'patch,update resource.k8s.io resourceclaims,resourceclaims/status',
      'patch,update core pods/status',
      'create,patch,update core,events.k8s.io events',
      { rule: 'get,list,watch scheduling.k8s.io podgroups', gate: 'DRAWorkloadResourceClaims' },
      { rule: 'patch,update scheduling.k8s.io podgroups/status', gate: 'DRAWorkloadResourceClaims' },
      'patch,update resource.k8s.io resourceclaims/binding',
    ],
  },
  {
    name: 'resourcepoolstatusrequest-controller',
    gate: 'DRAResourcePoolStatus',
    rules: [
      'delete,get,list,watch resource.k8s.io resourcepoolstatusrequests',
      'patch,update resource.k8s.io resourcepoolstatusrequests/status',
      'get,list,watch resource.k8s.io resourceslices',
      'get,list,watch resource.k8s.io resourceclaims',
      'get,list,watch resource.k8s.io devicetaintrules',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'resourcequota-controller',
    rules: ['list,watch * *', 'update core resourcequotas/status', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'root-ca-cert-publisher',
    rules: ['create,update core configmaps', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'route-controller',
    rules: ['list,watch core nodes', 'patch core nodes/status', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'selinux-warning-controller',
    rules: [
      'create,patch,update core,events.k8s.io events',
      'get,list,watch core persistentvolumes',
      'get,list,watch core persistentvolumeclaims',
      'get,list,watch core pods',
      'get,list,watch storage.k8s.io csidrivers',
    ],
  },
  {
    name: 'service-account-controller',
    rules: ['create core serviceaccounts', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'service-cidrs-controller',
    rules: [
      'get,list,patch,update,watch networking.k8s.io servicecidrs',
      'patch,update networking.k8s.io servicecidrs/finalizers',
      'patch,update networking.k8s.io servicecidrs/status',
      'get,list,watch networking.k8s.io ipaddresses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'service-controller',
    rules: [
      'get,list,watch core services',
      'patch,update core services/status',
      'list,watch core nodes',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'statefulset-controller',
    rules: [
      'list,watch core pods',
      'get,list,watch apps statefulsets',
      'update apps statefulsets/status',
      'update apps statefulsets/finalizers',
      'create,delete,get,patch,update core pods',
      'create,delete,get,list,patch,update,watch apps controllerrevisions',
      'create,get,list,watch core persistentvolumeclaims',
      'delete,update core persistentvolumeclaims',
      'update core pods/finalizers',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'storage-version-garbage-collector',
    gate: 'StorageVersionAPI',
    rules: [
      'get,list,watch coordination.k8s.io leases',
      'delete,get,list,patch,update,watch internal.apiserver.k8s.io storageversions',
      'get,patch,update internal.apiserver.k8s.io storageversions/status',
    ],
  },
  {
    name: 'storage-version-migrator-controller',
    rules: [
      'list,patch * *',
      'get apiextensions.k8s.io customresourcedefinitions',
      'patch apiextensions.k8s.io customresourcedefinitions/status',
      'update storagemigration.k8s.io storageversionmigrations/status',
    ],
  },
  {
    name: 'ttl-after-finished-controller',
    rules: ['delete,get,list,watch batch jobs', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'ttl-controller',
    rules: ['list,patch,update,watch core nodes', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    rules: [
      'get,list,watch admissionregistration.k8s.io validatingadmissionpolicies',
      'get,patch,update admissionregistration.k8s.io validatingadmissionpolicies/status',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'volumeattributesclass-protection-controller',
    rules: [
      'get,list,watch core persistentvolumeclaims',
      'get,list,watch core persistentvolumes',
      'get,list,update,watch storage.k8s.io volumeattributesclasses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
];
