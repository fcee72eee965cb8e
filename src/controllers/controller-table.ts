import { ClusterRoleAggregationController } from './cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import { NamespaceController } from './namespace-controller.ts';
import { ServiceCidrController } from './service-cidr-controller.ts';
import { StorageProtectionController } from './storage-protection-controller.ts';

export interface ControllerRow {
  /** Also the name of its service account in `kube-system`. */
  readonly name: string;
  /** Starts it; disposing of it stops it. A controller that is large, or seldom has work, imports itself here. */
  readonly start: (context: ControllerContext) => AsyncDisposable | Promise<AsyncDisposable>;
}

export const controllerTable: readonly ControllerRow[] = [
  { name: 'clusterrole-aggregation-controller', start: (context) => new ClusterRoleAggregationController(context) },
  { name: 'namespace-controller', start: (context) => new NamespaceController(context) },
  {
    name: 'resourcequota-controller',
    async start(context) {
      const { ResourceQuotaController } = await import('./resource-quota/resource-quota-controller.ts');
      return new ResourceQuotaController(context);
    },
  },
  { name: 'service-cidrs-controller', start: (context) => new ServiceCidrController(context) },
  { name: 'storage-protection-controller', start: (context) => new StorageProtectionController(context) },
];
