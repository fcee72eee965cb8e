import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';

export type StoredNode = Readonly<KubernetesObject & Node>;

/** Whether one of the terms selects the node. A term without requirements selects none. */
export function selectsNode({ nodeSelectorTerms = [] }: NodeSelector, node: StoredNode): boolean {
  return nodeSelectorTerms.some((term) => isMet(term, node));
}

function isMet({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: StoredNode): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = new Map(Object.entries(metadata.labels ?? {}));
  const fields = new Map([['metadata.name', metadata.name ?? '']]);
  const ofLabels = matchExpressions.every((requirement) => meets(requirement, labels));
  return ofLabels && matchFields.every((requirement) => meets(requirement, fields));
}

const operators: { readonly [operator: string]: (value: string | undefined, values: readonly string[]) => boolean } = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [bound = '']) => isInteger(value) && isInteger(bound) && BigInt(value) > BigInt(bound),
  Lt: (value, [bound = '']) => isInteger(value) && isInteger(bound) && BigInt(value) < BigInt(bound),
};

function meets(
  { key = '', operator = '', values = [] }: NodeSelectorRequirement,
  known: ReadonlyMap<string, string>,
): boolean {
  return Object.hasOwn(operators, operator) && (operators[operator]?.(known.get(key), values) ?? false);
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^-?[0-9]{1,19}$/.test(text);
}
