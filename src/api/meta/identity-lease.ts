/** Where servers have Leases by which the others know them. */
export const identityLeaseCollection = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  namespace: 'kube-system',
} as const;

/** The label of these Leases, and its value. */
export const identityLabel = 'apiserver.kubernetes.io/identity';
export const identityOfServers = 'kube-apiserver';
