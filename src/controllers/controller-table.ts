import type { ControllerContext } from './controller-context.ts';

export interface ControllerRow {
  /** The name in kube-controller-manager, where it has this controller. */
  readonly name: string;
  /** Legacy names. */
  readonly aliases?: readonly string[];
  /** Service account in `kube-system`; defaults to the name. */
  readonly account?: string;
  /** Runs only when enabled by name. */
  readonly isOffByDefault?: boolean;
  /** Keeps running beside a kube-controller-manager, which lacks this controller or disables it by default. */
  readonly goesOnBesideOthers?: boolean;
  /** Starts the controller; disposal stops it. Import the implementation here so that it is loaded only when run. */
  readonly start: (context: ControllerContext) => AsyncDisposable | Promise<AsyncDisposable>;
}

export const controllerTable: readonly ControllerRow[] = [
  {
    name: 'clusterrole-aggregation-controller',
    aliases: ['clusterrole-aggregation'],
    async start(context) {
      const { ClusterRoleAggregationController } = await import('./cluster-role-aggregation-controller.ts');
      return new ClusterRoleAggregationController(context);
    },
  },
  {
    name: 'garbage-collector-controller',
    aliases: ['garbagecollector'],
    account: 'generic-garbage-collector',
    async start(context) {
      const { GarbageCollector } = await import('./garbage-collector/garbage-collector.ts');
      return new GarbageCollector(context);
    },
  },
  {
    name: 'namespace-controller',
    aliases: ['namespace'],
    async start(context) {
      const { NamespaceController } = await import('./namespace-controller.ts');
      return new NamespaceController(context);
    },
  },
  {
    name: 'persistentvolume-protection-controller',
    aliases: ['pv-protection'],
    account: 'pv-protection-controller',
    start: (context) => startStorageProtection('persistentvolumes', context),
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    aliases: ['pvc-protection'],
    account: 'pvc-protection-controller',
    start: (context) => startStorageProtection('persistentvolumeclaims', context),
  },
  {
    name: 'service-cidr-controller',
    account: 'service-cidrs-controller',
    async start(context) {
      const { ServiceCidrController } = await import('./service-cidr-controller.ts');
      return new ServiceCidrController(context);
    },
  },
  {
    name: 'volumeattributesclass-protection-controller',
    start: (context) => startStorageProtection('volumeattributesclasses', context),
  },
];

async function startStorageProtection(resource: string, context: ControllerContext): Promise<AsyncDisposable> {
  const [{ StorageProtectionController }, { storageProtections }] = await Promise.all([
    import('./storage-protection-controller.ts'),
    import('./storage-protections.ts'),
  ]);
  const rows = storageProtections.filter(({ collection }) => collection.resource === resource);
  return new StorageProtectionController(context, rows);
}
