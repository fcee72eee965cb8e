import type { GroupVersionResource } from '../api/group-version.ts';
import { ClusterRoleAggregationController, lackRules } from './cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import { NamespaceController } from './namespace-controller.ts';
import { isUnfinished, ServiceCidrController } from './service-cidr-controller.ts';
import type { StoredCidr } from './service-cidr-use.ts';
import { StorageProtectionController } from './storage-protection-controller.ts';
import { storageProtections } from './storage-protections.ts';

export interface ControllerRow {
  /** Also the name of its service account in `kube-system`. */
  readonly name: string;
  /**
   * What it works on: it is started when there is an object of one of them, and until then costs nothing. Absent: it is
   * started in any case.
   */
  readonly concerns?: readonly GroupVersionResource[];
  /**
   * Whether there is work in the objects of one of them, given as JSON as they are stored: without any it is started by the
   * first change. Absent: there is some in every object.
   */
  readonly hasWork?: (stored: readonly string[]) => boolean;
  /** Starts it; disposing of it stops it. A controller that is large, or seldom has work, imports itself here. */
  readonly start: (context: ControllerContext) => AsyncDisposable | Promise<AsyncDisposable>;
}

export const controllerTable: readonly ControllerRow[] = [
  {
    name: 'clusterrole-aggregation-controller',
    concerns: [{ group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' }],
    hasWork: lackRules,
    start: (context) => new ClusterRoleAggregationController(context),
  },
  {
    name: 'namespace-controller',
    concerns: [{ group: '', version: 'v1', resource: 'namespaces' }],
    hasWork: (stored) => stored.some((text) => text.includes('"deletionTimestamp":')),
    start: (context) => new NamespaceController(context),
  },
  {
    name: 'service-cidrs-controller',
    concerns: [{ group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' }],
    hasWork: (stored) => stored.some((text) => isUnfinished(JSON.parse(text) as StoredCidr)),
    start: (context) => new ServiceCidrController(context),
  },
  {
    name: 'storage-protection-controller',
    concerns: storageProtections.map(({ collection }) => collection),
    start: (context) => new StorageProtectionController(context),
  },
];
