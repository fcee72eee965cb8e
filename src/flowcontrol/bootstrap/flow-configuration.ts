import type { KubernetesObject } from '../../api/meta/object.ts';
import type {
  FlowSchemaSpec,
  PriorityLevelConfigurationSpec,
} from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';

/** Whether the server keeps the spec of a suggested object as it is by itself. */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';

/** An object that every server creates. */
export interface FlowConfiguration {
  readonly object: KubernetesObject;
  /** Nobody may change its spec. */
  readonly isMandatory: boolean;
}

type Described =
  | { readonly kind: 'FlowSchema'; readonly spec: FlowSchemaSpec }
  | { readonly kind: 'PriorityLevelConfiguration'; readonly spec: PriorityLevelConfigurationSpec };

export function flowConfiguration({
  kind,
  name,
  spec,
  isMandatory,
}: Described & { readonly name: string; readonly isMandatory: boolean }): FlowConfiguration {
  const metadata = { name, annotations: { [autoUpdateAnnotation]: 'true' } };
  return { object: { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind, metadata, spec }, isMandatory };
}
