import type { GroupVersionResource } from '../api/group-version.ts';
import { ClusterRoleAggregationController } from './cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import { NamespaceController } from './namespace-controller.ts';
import { ServiceCidrController } from './service-cidr-controller.ts';
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
  /** Starts it; disposing of it stops it. A controller that is large, or seldom has work, imports itself here. */
  readonly start: (context: ControllerContext) => AsyncDisposable | Promise<AsyncDisposable>;
}

export const controllerTable: readonly ControllerRow[] = [
  { name: 'clusterrole-aggregation-controller', start: (context) => new ClusterRoleAggregationController(context) },
  { name: 'namespace-controller', start: (context) => new NamespaceController(context) },
  { name: 'service-cidrs-controller', start: (context) => new ServiceCidrController(context) },
  {
    name: 'storage-protection-controller',
    concerns: storageProtections.map(({ collection }) => collection),
    start: (context) => new StorageProtectionController(context),
  },
];
