/**
 * Differences in how kinds handle writes, by `plural.group` or `plural.group/version`, as in the reference's own tests.
 */
export const writeRules = {
  /** Status updates may change labels. */
  labelsThroughStatus: new Set([
    'certificatesigningrequests.certificates.k8s.io',
    'cronjobs.batch',
    'customresourcedefinitions.apiextensions.k8s.io',
    'daemonsets.apps',
    'horizontalpodautoscalers.autoscaling',
    'ingresses.networking.k8s.io',
    'jobs.batch',
    'namespaces.',
    'nodes.',
    'persistentvolumeclaims.',
    'persistentvolumes.',
    'poddisruptionbudgets.policy',
    'pods.',
    'replicasets.apps',
    'replicationcontrollers.',
    'resourcequotas.',
    'services.',
    'statefulsets.apps',
  ]),
  /** Updates require a resourceVersion. */
  versionRequired: new Set([
    'devicetaintrules.resource.k8s.io/v1',
    'evictionrequests.lifecycle.k8s.io',
    'evictions.lifecycle.k8s.io',
    'resourcepoolstatusrequests.resource.k8s.io',
  ]),
  /** Deletions return the object. */
  deletedReturned: new Set([
    'devicetaintrules.resource.k8s.io/v1alpha3',
    'devicetaintrules.resource.k8s.io/v1beta2',
    'resourcepoolstatusrequests.resource.k8s.io',
  ]),
} as const;

export function ruleHolds(
  rule: ReadonlySet<string>,
  { plural, group, version }: { readonly plural: string; readonly group: string; readonly version: string },
): boolean {
  return rule.has(`${plural}.${group}`) || rule.has(`${plural}.${group}/${version}`);
}
