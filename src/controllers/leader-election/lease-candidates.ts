/** As the server stores and elects them. */
export const leaseCandidates = {
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  resource: 'leasecandidates',
  namespace: '',
};
