/** Controllers write addresses as they should be: their endpoints are not looked at. */
export const managedByLabels = [
  'endpoints.kubernetes.io/managed-by',
  'endpointslice.kubernetes.io/managed-by',
] as const;

export const managers: ReadonlySet<string | undefined> = new Set([
  'endpoint-controller',
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]);
