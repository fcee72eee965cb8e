import type { Collection } from '../api/client/client.ts';
import { lackRules } from './cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import type { ControllersConfig } from './controllers-config.ts';
import { claims, configMaps, endpoints, namespaces, nodes, secrets, services } from './core-collections.ts';
import { isUnfinished } from './service-cidr-controller.ts';
import type { StoredCidr } from './service-cidr-use.ts';

export interface ControllerRow {
  /** The name in kube-controller-manager, where it has this controller. */
  readonly name: string;
  /** Legacy names. */
  readonly aliases?: readonly string[];
  /**
   * Service account in `kube-system`; defaults to the name. `own`: the user `system:kube-controller-manager`; `server`:
   * that of the server itself.
   */
  readonly account?: string | { readonly user: 'own' | 'server' };
  /** Runs only when enabled by name. */
  readonly isOffByDefault?: boolean;
  /** Gates that must all be enabled. */
  readonly gates?: readonly string[];
  /** Keeps running beside a kube-controller-manager, which lacks this controller or disables it by default. */
  readonly goesOnBesideOthers?: boolean;
  /**
   * What it works on: it is started when there is an object of one of them, and until then costs nothing. Absent: it is
   * started in any case.
   */
  readonly concerns?: readonly Collection[];
  /**
   * Whether there is work in the objects of one of them, given as JSON as they are stored: without any it is started by
   * the first change. Absent: there is some in every object.
   */
  readonly hasWork?: (stored: readonly string[]) => boolean;
  /** Refuses options that it cannot work with, before the server serves. Throws a ConfigError. */
  readonly check?: (config: ControllersConfig) => Promise<void>;
  /** Starts the controller; disposal stops it. Import the implementation here so that it is loaded only when run. */
  readonly start: (context: ControllerContext) => AsyncDisposable | Promise<AsyncDisposable>;
}

const signingRequests = collection('certificates.k8s.io', 'certificatesigningrequests');

function collection(group: string, resource: string, version = 'v1'): Collection {
  return { group, version, resource, namespace: '' };
}

function anySelectsPods(stored: readonly string[]): boolean {
  return stored.some((text) => text.includes('"selector":{'));
}

/** The controllers of kube-controller-manager, and this server's own that stop while one is running. */
export const controllerTable: readonly ControllerRow[] = [
  {
    name: 'bootstrap-signer-controller',
    aliases: ['bootstrapsigner'],
    account: 'bootstrap-signer',
    goesOnBesideOthers: true,
    concerns: [secrets, configMaps],
    hasWork: (stored) => stored.some((text) => /"type":"bootstrap\.kubernetes\.io|"name":"cluster-info"/.test(text)),
    async start(context) {
      const { bootstrapSigner } = await import('./bootstrap-signer.ts');
      return bootstrapSigner(context);
    },
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    aliases: ['csrapproving'],
    account: 'certificate-controller',
    concerns: [signingRequests],
    async start(context) {
      const { requestApprover } = await import('./certificates/request-approver.ts');
      return requestApprover(context);
    },
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    aliases: ['csrcleaner'],
    account: 'certificate-controller',
    concerns: [signingRequests],
    async start(context) {
      const { requestCleaner } = await import('./certificates/request-cleaner.ts');
      return requestCleaner(context);
    },
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    aliases: ['csrsigning'],
    account: 'certificate-controller',
    concerns: [signingRequests],
    async check({ signing }) {
      if (signing.all.certFile === undefined && signing.bySigner.size === 0) return;
      const { checkSigning } = await import('./certificates/check-signing.ts');
      await checkSigning(signing);
    },
    async start(context) {
      const { requestSigner } = await import('./certificates/request-signer.ts');
      return requestSigner(context);
    },
  },
  {
    name: 'clusterrole-aggregation-controller',
    aliases: ['clusterrole-aggregation'],
    concerns: [collection('rbac.authorization.k8s.io', 'clusterroles')],
    hasWork: lackRules,
    async start(context) {
      const { clusterRoleAggregationController } = await import('./cluster-role-aggregation-controller.ts');
      return clusterRoleAggregationController(context);
    },
  },
  {
    name: 'endpoints-controller',
    aliases: ['endpoint'],
    account: 'endpoint-controller',
    concerns: [services],
    hasWork: anySelectsPods,
    async start(context) {
      const { EndpointsController } = await import('./endpoints/endpoints-controller.ts');
      return new EndpointsController(context);
    },
  },
  {
    name: 'endpointslice-controller',
    aliases: ['endpointslice'],
    concerns: [services],
    hasWork: anySelectsPods,
    async start(context) {
      const { EndpointSliceController } = await import('./endpoints/endpoint-slice-controller.ts');
      return new EndpointSliceController(context);
    },
  },
  {
    name: 'endpointslice-mirroring-controller',
    aliases: ['endpointslicemirroring'],
    account: 'endpointslicemirroring-controller',
    concerns: [endpoints],
    hasWork: (stored) => stored.some((text) => !text.includes('"endpointslice.kubernetes.io/skip-mirror":"true"')),
    async start(context) {
      const { EndpointSliceMirroringController } = await import('./endpoints/endpoint-slice-mirroring-controller.ts');
      return new EndpointSliceMirroringController(context);
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
    concerns: [secrets],
    async start(context) {
      const { LegacyTokenCleaner } = await import('./legacy-token-cleaner.ts');
      return new LegacyTokenCleaner(context);
    },
  },
  {
    name: 'namespace-controller',
    aliases: ['namespace'],
    concerns: [namespaces],
    hasWork: (stored) => stored.some((text) => text.includes('"deletionTimestamp":')),
    async start(context) {
      const { NamespaceController } = await import('./namespace-controller.ts');
      return new NamespaceController(context);
    },
  },
  {
    name: 'persistentvolume-protection-controller',
    aliases: ['pv-protection'],
    account: 'pv-protection-controller',
    concerns: [collection('', 'persistentvolumes')],
    async start(context) {
      const { storageProtectionController } = await import('./storage-protection-controller.ts');
      return storageProtectionController('persistentvolume-protection-controller', context);
    },
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    aliases: ['pvc-protection'],
    account: 'pvc-protection-controller',
    concerns: [claims],
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
    name: 'podgroup-protection-controller',
    gates: ['GenericWorkload'],
    concerns: [collection('scheduling.k8s.io', 'podgroups', 'v1beta1')],
    hasWork: (stored) => stored.some((text) => text.includes('"deletionTimestamp":')),
    async start(context) {
      const { PodGroupProtectionController } = await import('./pod-group-protection-controller.ts');
      return new PodGroupProtectionController(context);
    },
  },
  {
    name: 'resourcequota-controller',
    aliases: ['resourcequota'],
    concerns: [collection('', 'resourcequotas')],
    async start(context) {
      const { ResourceQuotaController } = await import('./resource-quota/resource-quota-controller.ts');
      return new ResourceQuotaController(context);
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
    concerns: [collection('networking.k8s.io', 'servicecidrs')],
    hasWork: (stored) => stored.some((text) => isUnfinished(JSON.parse(text) as StoredCidr)),
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
    account: { user: 'own' },
    concerns: [secrets],
    async start(context) {
      const { AccountTokensController } = await import('./account-tokens-controller.ts');
      return new AccountTokensController(context);
    },
  },
  {
    name: 'storage-version-migrator-controller',
    aliases: ['svm'],
    gates: ['StorageVersionMigrator'],
    concerns: [collection('storagemigration.k8s.io', 'storageversionmigrations')],
    async start(context) {
      const { StorageVersionMigrator } = await import('./storage-version-migrator.ts');
      return new StorageVersionMigrator(context);
    },
  },
  {
    name: 'storageversion-garbage-collector-controller',
    aliases: ['storage-version-gc'],
    account: 'storage-version-garbage-collector',
    gates: ['APIServerIdentity', 'StorageVersionAPI'],
    concerns: [collection('internal.apiserver.k8s.io', 'storageversions', 'v1alpha1')],
    async start(context) {
      const { StorageVersionGarbageCollector } = await import('./storage-version-garbage-collector.ts');
      return new StorageVersionGarbageCollector(context);
    },
  },
  {
    name: 'token-cleaner-controller',
    aliases: ['tokencleaner'],
    account: 'token-cleaner',
    goesOnBesideOthers: true,
    concerns: [secrets],
    async start(context) {
      const { tokenCleaner } = await import('./token-cleaner.ts');
      return tokenCleaner(context);
    },
  },
  {
    name: 'ttl-after-finished-controller',
    aliases: ['ttl-after-finished'],
    concerns: [collection('batch', 'jobs')],
    async start(context) {
      const { ttlAfterFinishedController } = await import('./ttl-after-finished-controller.ts');
      return ttlAfterFinishedController(context);
    },
  },
  {
    name: 'ttl-controller',
    aliases: ['ttl'],
    concerns: [nodes],
    async start(context) {
      const { ttlController } = await import('./ttl-controller.ts');
      return ttlController(context);
    },
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    concerns: [collection('admissionregistration.k8s.io', 'validatingadmissionpolicies')],
    async start(context) {
      const { policyStatusController } = await import('./policy-status/policy-status-controller.ts');
      return policyStatusController(context);
    },
  },
  {
    name: 'volumeattributesclass-protection-controller',
    concerns: [collection('storage.k8s.io', 'volumeattributesclasses')],
    async start(context) {
      const { storageProtectionController } = await import('./storage-protection-controller.ts');
      return storageProtectionController('volumeattributesclass-protection-controller', context);
    },
  },
];
