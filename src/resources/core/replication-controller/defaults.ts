import type { ReplicationController } from '../../../schema/kubernetes/generated/types/core-v1.ts';

export function defaultReplicationController(controller: ReplicationController): void {
  const labels = controller.spec?.template?.metadata?.labels;
  if (labels === undefined) return;
  controller.spec ??= {};
  controller.spec.selector ??= { ...labels };
  controller.metadata = { ...controller.metadata, labels: controller.metadata?.labels ?? { ...labels } };
}
