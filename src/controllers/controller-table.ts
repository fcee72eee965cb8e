import { ClusterRoleAggregationController } from './cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import { NamespaceController } from './namespace-controller.ts';
import { rootCaPublisher } from './certificates/root-ca-publisher.ts';
import { serviceAccountsController } from './service-accounts-controller.ts';
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
    name: 'bootstrap-signer',
    async start(context) {
      const { bootstrapSigner } = await import('./bootstrap-signer.ts');
      return bootstrapSigner(context);
    },
  },
  {
    name: 'legacy-service-account-token-cleaner',
    async start(context) {
      const { LegacyTokenCleaner } = await import('./legacy-token-cleaner.ts');
      return new LegacyTokenCleaner(context);
    },
  },
  {
    name: 'service-account-token-controller',
    async start(context) {
      const { AccountTokensController } = await import('./account-tokens-controller.ts');
      return new AccountTokensController(context);
    },
  },
  {
    name: 'token-cleaner',
    async start(context) {
      const { tokenCleaner } = await import('./token-cleaner.ts');
      return tokenCleaner(context);
    },
  },
  { name: 'root-ca-cert-publisher', start: rootCaPublisher },
  { name: 'service-account-controller', start: serviceAccountsController },
  {
    name: 'kube-apiserver-serving-clustertrustbundle-publisher',
    async start(context) {
      const { trustBundlePublisher } = await import('./certificates/trust-bundle-publisher.ts');
      return trustBundlePublisher(context);
    },
  },
  {
    name: 'podcertificaterequestcleaner',
    async start(context) {
      const { podCertificateRequestCleaner } = await import('./certificates/pod-certificate-request-cleaner.ts');
      return podCertificateRequestCleaner(context);
    },
  },
  {
    name: 'pvc-protection-controller',
    async start(context) {
      const { ClaimProtectionController } = await import('./claim-protection-controller.ts');
      return new ClaimProtectionController(context);
    },
  },
  {
    name: 'ttl-after-finished-controller',
    async start(context) {
      const { ttlAfterFinishedController } = await import('./ttl-after-finished-controller.ts');
      return ttlAfterFinishedController(context);
    },
  },
  {
    name: 'ttl-controller',
    async start(context) {
      const { ttlController } = await import('./ttl-controller.ts');
      return ttlController(context);
    },
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    async start(context) {
      const { requestApprover } = await import('./certificates/request-approver.ts');
      return requestApprover(context);
    },
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    async start(context) {
      const { requestCleaner } = await import('./certificates/request-cleaner.ts');
      return requestCleaner(context);
    },
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    async start(context) {
      const { requestSigner } = await import('./certificates/request-signer.ts');
      return requestSigner(context);
    },
  },
  {
    name: 'endpoint-controller',
    async start(context) {
      const { EndpointsController } = await import('./endpoints/endpoints-controller.ts');
      return new EndpointsController(context);
    },
  },
  {
    name: 'endpointslice-controller',
    async start(context) {
      const { EndpointSliceController } = await import('./endpoints/endpoint-slice-controller.ts');
      return new EndpointSliceController(context);
    },
  },
  { name: 'service-cidrs-controller', start: (context) => new ServiceCidrController(context) },
  { name: 'storage-protection-controller', start: (context) => new StorageProtectionController(context) },
];
