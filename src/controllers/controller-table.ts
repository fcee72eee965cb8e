import { ClusterRoleAggregationController } from './cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import { NamespaceController } from './namespace-controller.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
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
  { name: 'service-cidrs-controller', start: (context) => new ServiceCidrController(context) },
  { name: 'storage-protection-controller', start: (context) => new StorageProtectionController(context) },
];
