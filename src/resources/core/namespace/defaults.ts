import type { Namespace } from '../../../schema/kubernetes/generated/types/core-v1.ts';

export function defaultNamespace(namespace: Namespace): void {
  const name = namespace.metadata?.name;
  if (name === undefined) return;
  namespace.metadata = {
    ...namespace.metadata,
    labels: { ...namespace.metadata?.labels, 'kubernetes.io/metadata.name': name },
  };
}
