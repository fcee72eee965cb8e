/** Labels of controllers that write canonical addresses: their endpoints are not checked. */
export const managedByLabels = [
  'endpoints.kubernetes.io/managed-by',
  'endpointslice.kubernetes.io/managed-by',
] as const;

export const managers: ReadonlySet<string | undefined> = new Set([
  'endpoint-controller',
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]);
