import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';

const nameLabels: readonly string[] = ['job-name', 'batch.kubernetes.io/job-name'];
const uidLabels: readonly string[] = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

type Labels = { readonly [key: string]: string };

/** Adds a selector on the job's own uid, unless manualSelector is set. */
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
  // Defaulting gave a job without labels the same map as its pod template. With a generated name each attempt works on
  // a copy, which separates the two.
  const isShared = before !== undefined && metadata?.labels === before && metadata.generateName === undefined;
  if (isShared) job.metadata = { ...metadata, labels: { ...labels } };
  spec.template = { ...spec.template, metadata: { ...spec.template?.metadata, labels } };
  const matchLabels = sorted({ 'batch.kubernetes.io/controller-uid': uid, ...spec.selector?.matchLabels });
  spec.selector = { ...spec.selector, matchLabels };
}

/** Labels added only to the template are defaulted to the job when it is read. */
export function takeTemplateLabels(job: Job): void {
  const labels = job.spec?.template?.metadata?.labels;
  if (labels !== undefined && job.metadata?.labels === undefined)
    job.metadata = { ...job.metadata, labels: { ...labels } };
}

/** Errors show labels sorted by name. */
function sorted(labels: Labels): { [key: string]: string } {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
