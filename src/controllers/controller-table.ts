import type { ControllerContext } from './controller-context.ts';

export interface ControllerRow {
  /** As kube-controller-manager calls it, where it has such a controller. */
  readonly name: string;
  /** Older names of it. */
  readonly aliases?: readonly string[];
  /** Its service account in `kube-system`; the name unless given. `own`: it works as the user that kube-controller-manager is itself. */
  readonly account?: string | { readonly own: true };
  /** Runs only when it is asked for by name. */
  readonly isOffByDefault?: boolean;
  /** Goes on when a kube-controller-manager is at work: that has no such controller, or not by default. */
  readonly goesOnBesideOthers?: boolean;
  /** Starts it; disposing of it stops it. Import what it is made of here: a server that never runs it never loads it. */
  readonly start: (context: ControllerContext) => AsyncDisposable | Promise<AsyncDisposable>;
}

export const controllerTable: readonly ControllerRow[] = [
  {
    name: 'bootstrap-signer-controller',
    aliases: ['bootstrapsigner'],
    account: 'bootstrap-signer',
    goesOnBesideOthers: true,
    async start(context) {
      const { bootstrapSigner } = await import('./bootstrap-signer.ts');
      return bootstrapSigner(context);
    },
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    aliases: ['csrapproving'],
    account: 'certificate-controller',
    async start(context) {
      const { requestApprover } = await import('./certificates/request-approver.ts');
      return requestApprover(context);
    },
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    aliases: ['csrcleaner'],
    account: 'certificate-controller',
    async start(context) {
      const { requestCleaner } = await import('./certificates/request-cleaner.ts');
      return requestCleaner(context);
    },
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    aliases: ['csrsigning'],
    account: 'certificate-controller',
    async start(context) {
      const { requestSigner } = await import('./certificates/request-signer.ts');
      return requestSigner(context);
    },
  },
  {
    name: 'clusterrole-aggregation-controller',
    aliases: ['clusterrole-aggregation'],
    async start(context) {
      const { ClusterRoleAggregationController } = await import('./cluster-role-aggregation-controller.ts');
      return new ClusterRoleAggregationController(context);
    },
  },
  {
    name: 'endpoints-controller',
    aliases: ['endpoint'],
    account: 'endpoint-controller',
    async start(context) {
      const { EndpointsController } = await import('./endpoints/endpoints-controller.ts');
      return new EndpointsController(context);
    },
  },
  {
    name: 'endpointslice-controller',
    aliases: ['endpointslice'],
    async start(context) {
      const { EndpointSliceController } = await import('./endpoints/endpoint-slice-controller.ts');
      return new EndpointSliceController(context);
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
    name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
    account: 'kube-apiserver-serving-clustertrustbundle-publisher',
    async start(context) {
      const { trustBundlePublisher } = await import('./certificates/trust-bundle-publisher.ts');
      return trustBundlePublisher(context);
    },
  },
  {
    name: 'legacy-serviceaccount-token-cleaner-controller',
    aliases: ['legacy-service-account-token-cleaner'],
    account: 'legacy-service-account-token-cleaner',
    async start(context) {
      const { LegacyTokenCleaner } = await import('./legacy-token-cleaner.ts');
      return new LegacyTokenCleaner(context);
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
    async start(context) {
      const { ClaimProtectionController } = await import('./claim-protection-controller.ts');
      return new ClaimProtectionController(context);
    },
  },
  {
    name: 'podcertificaterequest-cleaner-controller',
    account: 'podcertificaterequestcleaner',
    async start(context) {
      const { podCertificateRequestCleaner } = await import('./certificates/pod-certificate-request-cleaner.ts');
      return podCertificateRequestCleaner(context);
    },
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    aliases: ['root-ca-cert-publisher'],
    account: 'root-ca-cert-publisher',
    async start(context) {
      const { rootCaPublisher } = await import('./certificates/root-ca-publisher.ts');
      return rootCaPublisher(context);
    },
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
    name: 'serviceaccount-controller',
    aliases: ['serviceaccount'],
    account: 'service-account-controller',
    async start(context) {
      const { serviceAccountsController } = await import('./service-accounts-controller.ts');
      return serviceAccountsController(context);
    },
  },
  {
    name: 'serviceaccount-token-controller',
    aliases: ['serviceaccount-token'],
    account: { own: true },
    async start(context) {
      const { AccountTokensController } = await import('./account-tokens-controller.ts');
      return new AccountTokensController(context);
    },
  },
  {
    name: 'token-cleaner-controller',
    aliases: ['tokencleaner'],
    account: 'token-cleaner',
    goesOnBesideOthers: true,
    async start(context) {
      const { tokenCleaner } = await import('./token-cleaner.ts');
      return tokenCleaner(context);
    },
  },
  {
    name: 'ttl-after-finished-controller',
    aliases: ['ttl-after-finished'],
    async start(context) {
      const { ttlAfterFinishedController } = await import('./ttl-after-finished-controller.ts');
      return ttlAfterFinishedController(context);
    },
  },
  {
    name: 'ttl-controller',
    aliases: ['ttl'],
    async start(context) {
      const { ttlController } = await import('./ttl-controller.ts');
      return ttlController(context);
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
