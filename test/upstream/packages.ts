/** Packages of Kubernetes' integration tests that say most in a few minutes. */
export const packages = [
  'apiserver/apidefinitions',
  'apiserver/openapi',
  'controlplane',
  'dryrun',
  'dualstack',
  'etcd',
  'metrics',
  'namespace',
  'pods',
  'pvc',
  'replicaset',
  'secrets',
  'service',
  'serving',
  'statefulset',
] as const;
