import { addInt64 } from '../../../api/values/int64.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { DaemonSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { AnnotatedInteger } from '../../parts/workload/annotated-integer.ts';

/** Counts pod template changes, for clients that predate revisions. */
export const templateGeneration = new AnnotatedInteger('deprecated.daemonset.template.generation', { whenAbsent: '0' });

export const daemonSetStrategy: StrategyOf<DaemonSet> = {
  generation: 'spec',
  unconvertible: (daemonSet) => templateGeneration.problem(daemonSet),
  normalize: (daemonSet) => templateGeneration.normalize(daemonSet),
  prepareForCreate(daemonSet) {
    if ((templateGeneration.valueIn(daemonSet) ?? 0) < 1) templateGeneration.set(daemonSet, 1);
  },
  prepareForUpdate(daemonSet, old) {
    templateGeneration.keep(daemonSet, old);
    if (sameValue(daemonSet.spec?.template, old.spec?.template)) return;
    templateGeneration.set(daemonSet, addInt64(templateGeneration.valueIn(old) ?? 0, 1));
  },
  subresources: { status: { prepareForUpdate: (daemonSet, old) => templateGeneration.keep(daemonSet, old) } },
};

/** Adds the zero count that the reference shows if there is none. */
export function withZeroTemplateGeneration(object: KubernetesObject): KubernetesObject {
  const annotations = { [templateGeneration.annotation]: '0', ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
