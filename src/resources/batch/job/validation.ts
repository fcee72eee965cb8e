import { domainPrefixedPath } from '../../../api/validation/domain-path.ts';
import {
  childPath,
  duplicateField,
  invalidField,
  invalidFieldWithoutValue,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { dnsLabelErrors } from '../../../api/meta/names.ts';
import type * as batch from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { LabelSelector } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { podTemplateSpec } from '../../parts/pod-template/pod-spec.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import { type Errors, immutableMessage, nonNegative, oneOf, qualifiedName } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { labelSelector, selectorRequirements, selects } from '../../parts/selectors/label-selectors.ts';
import { declaredScheduling, jobScheduling, jobSchedulingUpdate } from './scheduling.ts';
import { successPolicy } from './success-policy.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

const jobCounts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
] as readonly ('parallelism' | 'completions' | 'backoffLimit')[];

/** Common to jobs and the templates of cron jobs. */
export function* jobBody(spec: batch.JobSpec, path: string): Errors {
  for (const name of jobCounts) yield* nonNegative(spec[name], childPath(path, name));
  if (spec.maxFailedIndexes !== undefined) {
    yield* nonNegative(spec.maxFailedIndexes, childPath(path, 'maxFailedIndexes'));
    if (spec.backoffLimitPerIndex === undefined) {
      yield requiredField(childPath(path, 'backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
    }
  }
  if (spec.managedBy !== undefined) {
    yield* domainPrefixedPath(spec.managedBy, childPath(path, 'managedBy'));
    if (Buffer.byteLength(spec.managedBy) > 63) yield tooLongField(childPath(path, 'managedBy'), 63);
  }
  yield* oneOf(['NonIndexed', 'Indexed'])(spec.completionMode, childPath(path, 'completionMode'));
  if (spec.completionMode === 'Indexed') yield* indexed(spec, path);
  else if (spec.completionMode === undefined || spec.completionMode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      const value = spec[name];
      if (value !== undefined) yield invalidField(childPath(path, name), value, 'requires indexed completion mode');
    }
  }
  if (spec.podFailurePolicy) yield* podFailurePolicy(spec, childPath(path, 'podFailurePolicy.rules'));
  if (spec.successPolicy) {
    const policyPath = childPath(path, 'successPolicy');
    if (spec.completionMode === 'Indexed') yield* successPolicy(spec, spec.successPolicy, policyPath);
    else {
      const value = internalValue('batch.SuccessPolicy', spec.successPolicy);
      yield invalidField(policyPath, value, 'requires indexed completion mode');
    }
  }
  const replacements = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  yield* oneOf(replacements)(spec.podReplacementPolicy, childPath(path, 'podReplacementPolicy'));
  yield* jobScheduling(spec, childPath(path, 'scheduling'));
  yield* podTemplateSpec(spec.template ?? {}, childPath(path, 'template'));
  yield* restartPolicy(spec, childPath(path, 'template.spec.restartPolicy'));
}

function* indexed(spec: batch.JobSpec, path: string): Errors {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const parallelismPath = childPath(path, 'parallelism');
  const failedPath = childPath(path, 'maxFailedIndexes');
  if (completions === undefined) yield requiredField(childPath(path, 'completions'), 'when completion mode is Indexed');
  if (parallelism > 100000) {
    const detail = 'must be less than or equal to 100000 when completion mode is Indexed';
    yield invalidField(parallelismPath, parallelism, detail);
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    yield invalidField(failedPath, maxFailedIndexes, 'must be less than or equal to completions');
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > 100000) {
    yield invalidField(failedPath, maxFailedIndexes, 'must be less than or equal to 100000');
  }
  if (completions === undefined || completions <= 100000 || backoffLimitPerIndex === undefined) return;
  const detail =
    'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index';
  if (maxFailedIndexes === undefined)
    yield requiredField(failedPath, 'must be specified when completions is above 100000');
  if (parallelism > 10000) yield invalidField(parallelismPath, parallelism, detail);
  if ((maxFailedIndexes ?? 0) > 10000) yield invalidField(failedPath, maxFailedIndexes, detail);
}

function* restartPolicy({ template, podFailurePolicy: policy }: batch.JobSpec, path: string): Errors {
  const value = template?.spec?.restartPolicy ?? '';
  if (value === 'Always' || value === '') yield requiredField(path, 'valid values: "OnFailure", "Never"');
  else if (value !== 'OnFailure' && value !== 'Never') yield notSupportedField(path, value, ['OnFailure', 'Never']);
  else if (policy && value !== 'Never') {
    yield invalidField(path, value, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** The reference lists values in Go syntax here. */
function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => `"${value}"`).join(' ')}]`;
}

function* listed(value: string, path: string, values: readonly string[]): Errors {
  if (value === '') yield requiredField(path, validValues(values));
  else yield* oneOf(values)(value, path);
}

function* podFailurePolicy(spec: batch.JobSpec, path: string): Errors {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > 20) yield tooManyField(path, rules.length, 20);
  const pod = spec.template?.spec;
  const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])];
  const names = new Set(containers.map(({ name = '' }) => name));
  for (const [index, rule] of rules.entries()) {
    const itemPath = keyPath(path, index);
    const { action = '', onExitCodes, onPodConditions = [] } = rule;
    const actionPath = childPath(itemPath, 'action');
    if (action !== 'FailIndex') yield* listed(action, actionPath, failureActions);
    else if (spec.backoffLimitPerIndex === undefined) {
      yield invalidField(actionPath, action, 'requires the backoffLimitPerIndex to be set');
    }
    if (onExitCodes) yield* exitCodes(onExitCodes, names, childPath(itemPath, 'onExitCodes'));
    yield* podConditions(onPodConditions, childPath(itemPath, 'onPodConditions'));
    if (onExitCodes && onPodConditions.length > 0) {
      yield invalidFieldWithoutValue(itemPath, 'specifying both OnExitCodes and OnPodConditions is not supported');
    }
    if (!onExitCodes && onPodConditions.length === 0) {
      yield invalidFieldWithoutValue(itemPath, 'specifying one of OnExitCodes and OnPodConditions is required');
    }
  }
}

function* podConditions(patterns: readonly batch.PodFailurePolicyOnPodConditionsPattern[], path: string): Errors {
  if (patterns.length > 20) yield tooManyField(path, patterns.length, 20);
  for (const [index, { type, status = '' }] of patterns.entries()) {
    yield* qualifiedName(type, childPath(keyPath(path, index), 'type'));
    yield* listed(status, childPath(keyPath(path, index), 'status'), ['False', 'True', 'Unknown']);
  }
}

function* exitCodes(
  { operator = '', containerName, values = [] }: batch.PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
  path: string,
): Errors {
  yield* listed(operator, childPath(path, 'operator'), ['In', 'NotIn']);
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    yield invalidField(childPath(path, 'containerName'), containerName, detail);
  }
  const valuesPath = childPath(path, 'values');
  if (values.length === 0) yield invalidField(valuesPath, null, 'at least one value is required');
  else if (values.length > 255) yield tooManyField(valuesPath, values.length, 255);
  const isRepeated = repetitions<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      yield invalidField(keyPath(valuesPath, index), value, 'must not be 0 for the In operator');
    }
    if (isRepeated(value)) yield duplicateField(keyPath(valuesPath, index), value);
  }
  if (values.some((value, index) => (values[index - 1] ?? value) > value)) {
    yield invalidField(valuesPath, values, 'must be ordered');
  }
}

function* jobSpec(spec: batch.JobSpec): Errors {
  yield* jobBody(spec, 'spec');
  if (spec.selector === undefined) yield requiredField('spec.selector');
  yield* labelSelector(spec.selector, 'spec.selector');
  const values = spec.template?.metadata?.labels;
  if (isWellFormed(spec.selector) && !selects(spec.selector, values ?? {})) {
    const detail = '`selector` does not match template `labels`';
    const shown = internalValue('{}string', shownField(spec.template?.metadata ?? {}, 'labels'));
    yield invalidField('spec.template.metadata.labels', shown, detail);
  }
}

/** Malformed selectors are reported elsewhere. */
function isWellFormed(selector: LabelSelector | undefined): boolean {
  return selector === undefined || selectorRequirements(selector) !== undefined;
}

function* nameAllowsCompletions({ metadata, spec = {} }: batch.Job): Errors {
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== 'Indexed' || completions <= 0) return;
  const hostname = `${metadata?.name ?? ''}-${completions - 1}`;
  if (dnsLabelErrors(hostname).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  yield invalidField('metadata.name', metadata?.name ?? '', detail);
}

function* generatedSelector({ metadata = {}, spec = {} }: batch.Job): Errors {
  if (spec.manualSelector || spec.selector === undefined) return;
  const { uid = '', name = '' } = metadata;
  const expected: { [label: string]: string } = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  if (uid === '') yield requiredField('metadata.uid');
  const labels = spec.template?.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(expected)) {
    const path = `spec.template.metadata.labels[${key}]`;
    if (labels[key] === undefined) yield requiredField(path, `must be '${value}'`);
    else if (labels[key] !== value) yield invalidField(path, internalValue('{}string', labels), `must be '${value}'`);
  }
  if (isWellFormed(spec.selector) && !selects(spec.selector, expected)) {
    yield invalidField('spec.selector', internalValue('plain', spec.selector), '`selector` not auto-generated');
  }
}

export function* validateJob(job: batch.Job): Errors {
  yield* generatedSelector(job);
  yield* jobSpec(job.spec ?? {});
  yield* nameAllowsCompletions(job);
  yield* declaredScheduling(job.spec ?? {}, undefined, 'spec.scheduling');
}

/** What may change in the pod template of a suspended job without pods, even if it has been started before. */
export interface TemplateRules {
  /** Scheduling constraints; without, those of jobs that have never been started. */
  readonly placement: boolean;
  readonly resources: boolean;
}

export function* validateJobUpdate(job: batch.Job, old: batch.Job, rules: TemplateRules): Errors {
  const { spec = {} } = job;
  const before = old.spec ?? {};
  yield* jobSpec(spec);
  yield* completionsUpdate(spec, before);
  yield* fixed(spec.selector, before.selector, 'spec.selector', '*plain');
  yield* templateUpdate(spec, old, rules);
  yield* fixed(spec.completionMode, before.completionMode, 'spec.completionMode', '*string');
  yield* fixed(spec.podFailurePolicy, before.podFailurePolicy, 'spec.podFailurePolicy', '*batch.PodFailurePolicy');
  yield* fixed(spec.backoffLimitPerIndex, before.backoffLimitPerIndex, 'spec.backoffLimitPerIndex', '*number');
  yield* fixed(spec.managedBy, before.managedBy, 'spec.managedBy', '*string');
  yield* fixed(spec.successPolicy, before.successPolicy, 'spec.successPolicy', '*batch.SuccessPolicy');
  yield* jobSchedulingUpdate(spec, before, 'spec.scheduling');
  yield* nameAllowsCompletions(job);
  yield* declaredScheduling(spec, before, 'spec.scheduling');
}

function* fixed(value: unknown, old: unknown, path: string, type: string): Errors {
  if (!sameValue(value, old)) yield invalidField(path, internalValue(type, value), immutableMessage);
}

function* completionsUpdate(spec: batch.JobSpec, old: batch.JobSpec): Errors {
  if (spec.completionMode !== 'Indexed')
    return yield* fixed(spec.completions, old.completions, 'spec.completions', '*number');
  if (spec.completions === undefined || spec.completions === old.completions) return;
  if (spec.completions !== spec.parallelism) {
    yield invalidField('spec.completions', spec.completions, 'can only be modified in tandem with spec.parallelism');
  }
}

/** Suspended jobs without pods may change scheduling constraints and resources. */
function* templateUpdate(spec: batch.JobSpec, old: batch.Job, rules: TemplateRules): Errors {
  const { template = {} } = spec;
  const before = old.spec?.template ?? {};
  const isSuspended = old.spec?.suspend === true;
  const hasNoPods = isSuspended && (old.status?.active ?? 0) === 0;
  const hasNotStarted = isSuspended && old.status?.startTime === undefined;
  const mayMove = rules.placement ? hasNoPods : hasNotStarted;
  const placed = mayMove ? withPlacementOf(template, before) : before;
  if (!hasNoPods || !rules.resources) return yield* fixed(template, placed, 'spec.template', 'core.PodTemplateSpec');
  const munged = withResourcesOf(template.spec ?? {}, placed.spec ?? {});
  yield* fixed(template.spec, munged, 'spec.template.spec', 'core.PodSpec');
}

function withPlacementOf(
  { metadata, spec = {} }: core.PodTemplateSpec,
  { spec: old = {} }: core.PodTemplateSpec,
): core.PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates } = spec;
  const result: core.PodSpec = { ...old };
  Object.assign(result, { nodeSelector, tolerations, schedulingGates });
  const { nodeAffinity: _nodeAffinity, ...others } = old.affinity ?? {};
  const affinity = { ...others, ...(spec.affinity?.nodeAffinity && { nodeAffinity: spec.affinity.nodeAffinity }) };
  if (Object.keys(affinity).length === 0) delete result.affinity;
  else result.affinity = affinity;
  return { ...(metadata && { metadata }), spec: result };
}

function withResourcesOf(spec: core.PodSpec, old: core.PodSpec): core.PodSpec {
  const result: core.PodSpec = { ...old };
  for (const list of ['containers', 'initContainers'] as const) {
    if (old[list]?.length !== spec[list]?.length) continue;
    result[list] = (old[list] ?? []).map((container, index) => {
      const now = spec[list]?.[index];
      return now?.name === container.name && now?.resources ? { ...container, resources: now.resources } : container;
    });
  }
  return result;
}
