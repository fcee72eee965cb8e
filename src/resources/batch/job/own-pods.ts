import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';

const nameLabels: readonly string[] = ['job-name', 'batch.kubernetes.io/job-name'];
const uidLabels: readonly string[] = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

type Labels = { readonly [key: string]: string };

/** A job selects its pods by its own uid, unless its author selects them himself. */
export function selectOwnPods(job: Job): void {
  const { spec, metadata } = job;
  if (spec === undefined || spec.manualSelector === true) return;
  const uid = metadata?.uid ?? '';
  const before = spec.template?.metadata?.labels;
  const labels = sorted({
    ...Object.fromEntries(nameLabels.map((label) => [label, metadata?.name ?? ''])),
    ...Object.fromEntries(uidLabels.map((label) => [label, uid])),
    ...before,
  });
  // Defaulting has given a job without labels the very labels of its pods. Names that are generated break that: each attempt has a
  // copy. Labels that stand in the template only now are given to the job when it is next read.
  const isShared = before !== undefined && metadata?.labels === before && metadata.generateName === undefined;
  if (isShared || metadata?.labels === undefined) job.metadata = { ...metadata, labels: { ...labels } };
  spec.template = { ...spec.template, metadata: { ...spec.template?.metadata, labels } };
  const matchLabels = sorted({ 'batch.kubernetes.io/controller-uid': uid, ...spec.selector?.matchLabels });
  spec.selector = { ...spec.selector, matchLabels };
}

/** Errors show labels by name. */
function sorted(labels: Labels): { [key: string]: string } {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
