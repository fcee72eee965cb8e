import type { KubernetesObject } from '../../../api/object.ts';
import type { DaemonSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

/** Counts pod template changes, for clients that predate revisions. */
const templateGeneration = 'deprecated.daemonset.template.generation';

export const daemonSetStrategy: StrategyOf<DaemonSet> = {
  generation: 'spec',
  normalize({ metadata }) {
    metadata.annotations = { ...metadata.annotations };
    metadata.annotations[templateGeneration] ??= '0';
  },
  prepareForCreate: (daemonSet) => setTemplateGeneration(daemonSet, 1),
  prepareForUpdate(daemonSet, old) {
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0);
    const changed = !sameValue(daemonSet.spec?.template, old.spec?.template);
    setTemplateGeneration(daemonSet, changed ? before + 1 : before);
  },
};

function setTemplateGeneration({ metadata }: KubernetesObject, generation: number): void {
  if (generation > 0) metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

/** Adds the zero count that the reference shows if there is none. */
export function withZeroTemplateGeneration(object: KubernetesObject): KubernetesObject {
  const annotations = { [templateGeneration]: '0', ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
