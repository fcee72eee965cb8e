import type { Namespace } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed, typed } from '../../parts/defaults/fill.ts';
import { namespaceStrategy } from './strategy.ts';
import { namespace, namespaceFinalize, namespaceStatus } from './validation.ts';

export const namespaceKind = defineKind<Namespace>({
  group: '',
  kind: 'Namespace',
  strategy: namespaceStrategy,
  checks: { create: namespace, subresources: { status: namespaceStatus, finalize: namespaceFinalize } },
  responses: { returnsDeletedObject: true, tellsOfDeletionStatus: true },
  defaults: {
    'io.k8s.api.core.v1.Namespace': typed(defaultNamespace),
    'io.k8s.api.core.v1.NamespaceStatus': fixed({ phase: 'Active' }),
  },
  table: async () => (await import('./table.ts')).namespaces,
});

function defaultNamespace(namespace: Namespace): void {
  const name = namespace.metadata?.name;
  if (name === undefined) return;
  namespace.metadata = {
    ...namespace.metadata,
    labels: { ...namespace.metadata?.labels, 'kubernetes.io/metadata.name': name },
  };
}
