import { labelValueErrors } from '../../../api/meta/names.ts';
import type { NodeSelectorTerm } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { perItem, type Warnings } from '../warnings/per-item.ts';

/** Deprecated node labels and their warnings. */
const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warnings about required node labels; a path without a label refers to the whole map. */
export function nodeSelectorWarnings(
  pathOf: (label: string) => string,
  labels: { readonly [label: string]: string } = {},
): Warnings {
  return perItem(Object.keys(labels), (label) => {
    const text = deprecatedNodeLabels.get(label);
    return text === undefined ? [] : [`${pathOf(label)}: ${text}`];
  });
}

/** The warning about a label that is the value of a field. */
export function nodeLabelWarnings(path: string, label = ''): string[] {
  const text = deprecatedNodeLabels.get(label);
  return text === undefined ? [] : [`${path}: ${label} is ${text}`];
}

/** Warnings about a node selector term; the values of preferred terms are not validated, so they get warnings. */
export function nodeTermWarnings(
  path: string,
  term: NodeSelectorTerm = {},
  { checkValues }: { readonly checkValues: boolean },
): Warnings {
  return perItem(term.matchExpressions, function* ({ key, values }, index) {
    const expression = `${path}.matchExpressions[${index}]`;
    yield* nodeLabelWarnings(`${expression}.key`, key);
    if (!checkValues) return;
    yield* perItem(values, (value, at) =>
      labelValueErrors(value).map((message) => `${expression}.values[${at}]: ${value} is invalid, ${message}`),
    );
  });
}
