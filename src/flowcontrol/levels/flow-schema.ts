import type { KubernetesObject } from '../../api/meta/object.ts';
import type { FlowSchema, PolicyRulesWithSubjects } from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import type { FlowRequest } from '../classification/flow-request.ts';

/** A FlowSchema as flow control uses it. */
export interface FlowSchemaEntry {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  readonly levelName: string;
  readonly distinguish: (request: FlowRequest) => string;
  readonly rules: readonly PolicyRulesWithSubjects[];
}

export function flowSchemaOf({
  metadata,
  spec = {},
}: Pick<KubernetesObject, 'metadata'> & FlowSchema): FlowSchemaEntry {
  const { name = '', uid = '' } = metadata;
  const { matchingPrecedence: precedence = 0, rules = [] } = spec;
  const levelName = spec.priorityLevelConfiguration?.name ?? '';
  const distinguish = distinguishers[spec.distinguisherMethod?.type ?? ''] ?? oneFlow;
  return { name, uid, precedence, levelName, distinguish, rules };
}

const oneFlow = (): string => '';

const distinguishers: { readonly [method: string]: (request: FlowRequest) => string } = {
  ByUser: ({ user }) => user.name,
  ByNamespace: ({ namespace }) => namespace,
};

/** In the order in which requests are compared with them. */
export function byPrecedence(a: FlowSchemaEntry, b: FlowSchemaEntry): number {
  return a.precedence - b.precedence || (a.name < b.name ? -1 : 1);
}
