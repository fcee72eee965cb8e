import type { ControllerContext } from './controller-context.ts';

export interface ControllerRow {
  /** As kube-controller-manager calls it, where it has such a controller. */
  readonly name: string;
  /** Older names of it. */
  readonly aliases?: readonly string[];
  /** Its service account in `kube-system`; the name unless given. */
  readonly account?: string;
  /** Runs only when it is asked for by name. */
  readonly isOffByDefault?: boolean;
  /** Goes on when a kube-controller-manager is at work: that has no such controller, or not by default. */
  readonly goesOnBesideOthers?: boolean;
  /** Starts it; disposing of it stops it. Import what it is made of here: a server that never runs it never loads it. */
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
