import {
  childPath,
  duplicateField,
  type FieldError,
  invalidField,
  invalidFieldWithoutValue,
  keyPath,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { isZeroTimeText } from '../../../api/time/time.ts';
import type { Job, JobStatus } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { indexesProblem, overlappingIndex } from './indexes.ts';

// Controllers of many authors write job statuses. A rule applies only when the fields it is about change: statuses that
// already violate it can still be updated.

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

function has(status: JobStatus, type: string): boolean {
  return status.conditions?.find((condition) => condition.type === type)?.status === 'True';
}

function isFinished(status: JobStatus): boolean {
  return has(status, 'Complete') || has(status, 'Failed');
}

/** The new status and the old one. */
interface Transition {
  readonly status: JobStatus;
  readonly old: JobStatus;
  readonly spec: NonNullable<Job['spec']>;
}

interface TransitionRule {
  /** The rule applies only if one of these changed; absent: always. */
  readonly changed?: readonly Aspect[];
  readonly broken: (transition: Transition) => boolean;
  readonly error: (transition: Transition) => FieldError;
}

const aspects = {
  finished: isFinished,
  complete: (status: JobStatus) => has(status, 'Complete'),
  failed: (status: JobStatus) => has(status, 'Failed'),
  failureTarget: (status: JobStatus) => has(status, 'FailureTarget'),
  successCriteria: (status: JobStatus) => has(status, 'SuccessCriteriaMet'),
  completedIndexes: ({ completedIndexes = '' }: JobStatus) => completedIndexes,
  failedIndexes: ({ failedIndexes }: JobStatus) => failedIndexes,
  active: ({ active = 0 }: JobStatus) => active,
  startTime: ({ startTime }: JobStatus) => startTime,
  completionTime: ({ completionTime }: JobStatus) => completionTime,
  uncounted: ({ uncountedTerminatedPods }: JobStatus) => uncountedTerminatedPods,
  ready: ({ ready }: JobStatus) => ready,
  terminating: ({ terminating }: JobStatus) => terminating,
} as const;

type Aspect = keyof typeof aspects;

function conditionsError(detail: string): () => FieldError {
  return () => invalidFieldWithoutValue('status.conditions', detail);
}

/** Two mutually exclusive conditions. */
function exclusive(one: string, other: string, changed: readonly Aspect[] | undefined): TransitionRule {
  return {
    ...(changed === undefined ? {} : { changed }),
    broken: ({ status }) => has(status, one) && has(status, other),
    error: conditionsError(`cannot set ${one}=True and ${other}=true conditions`),
  };
}

function needs(type: string, other: string, changed: readonly Aspect[]): TransitionRule {
  return {
    changed,
    broken: ({ status }) => has(status, type) && !has(status, other),
    error: conditionsError(`cannot set ${type}=True condition without the ${other}=true condition`),
  };
}

/** An error that shows the value of `field`, the zero time as null. */
function shown(field: keyof JobStatus, detail: string): TransitionRule['error'] {
  return ({ status }) => {
    // Members of decoded objects are JSON.
    const value = (status[field] ?? null) as string | number | null;
    return invalidField(`status.${field}`, isSentZeroTime(value) ? null : value, detail);
  };
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}

/** Rules for the new status. */
const stateRules: readonly TransitionRule[] = [
  exclusive('Complete', 'Failed', ['complete', 'failed']),
  exclusive('Complete', 'FailureTarget', ['complete', 'failureTarget']),
  {
    changed: ['complete', 'completionTime'],
    broken: ({ status }) => status.completionTime !== undefined && !has(status, 'Complete'),
    error: shown('completionTime', 'cannot set completionTime when there is no Complete=True condition'),
  },
  {
    changed: ['complete', 'completionTime'],
    broken: ({ status }) => status.completionTime === undefined && has(status, 'Complete'),
    error: () => requiredField('status.completionTime', 'completionTime is required for Complete jobs'),
  },
  {
    changed: ['startTime', 'completionTime'],
    broken: ({ status }) => isBefore(status.completionTime, status.startTime),
    error: shown('completionTime', 'must be equal to or after `startTime`'),
  },
  needs('Failed', 'FailureTarget', ['failed', 'failedIndexes']),
  needs('Complete', 'SuccessCriteriaMet', ['complete', 'successCriteria']),
  {
    changed: ['finished', 'active'],
    broken: ({ status }) => (status.active ?? 0) > 0 && isFinished(status),
    error: shown('active', 'active>0 is invalid for finished job'),
  },
  {
    changed: ['finished', 'startTime'],
    broken: ({ status, spec }) =>
      status.startTime === undefined && isFinished(status) && !(spec.suspend === true && spec.completions === 0),
    error: () => requiredField('status.startTime', 'startTime is required for finished job'),
  },
  {
    changed: ['finished', 'uncounted'],
    broken: ({ status }) => isFinished(status) && uncounted(status).length > 0,
    error: ({ status: { uncountedTerminatedPods: pods } }) => {
      const value = { Succeeded: pods?.succeeded ?? null, Failed: pods?.failed ?? null };
      return invalidField('status.uncountedTerminatedPods', value, 'must be empty for finished job');
    },
  },
];

function uncounted({ uncountedTerminatedPods: pods }: JobStatus): readonly string[] {
  return [...(pods?.succeeded ?? []), ...(pods?.failed ?? [])];
}

const laterStateRules: readonly TransitionRule[] = [
  {
    changed: ['finished', 'terminating'],
    broken: ({ status }) => (status.terminating ?? 0) > 0 && isFinished(status),
    error: shown('terminating', 'terminating>0 is invalid for finished job'),
  },
  {
    changed: ['ready', 'active'],
    broken: ({ status }) => status.ready !== undefined && status.ready > (status.active ?? 0),
    error: shown('ready', 'cannot set more ready pods than active'),
  },
  exclusive('SuccessCriteriaMet', 'Failed', undefined),
  exclusive('SuccessCriteriaMet', 'FailureTarget', undefined),
  {
    broken: ({ status, spec }) =>
      spec.successPolicy !== undefined && !has(status, 'SuccessCriteriaMet') && has(status, 'Complete'),
    error: conditionsError('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'),
  },
];

const terminal: readonly TransitionRule[] = ['Failed', 'Complete', 'FailureTarget'].map((type) => ({
  broken: ({ status, old }) => has(old, type) && !has(status, type),
  error: conditionsError(`cannot disable the terminal ${type}=True condition`),
}));

/** Rules for the change. */
const changeRules: readonly TransitionRule[] = [
  ...terminal,
  {
    broken: ({ status, old }) => (status.failed ?? 0) < (old.failed ?? 0),
    error: ({ status }) => invalidField('status.failed', status.failed ?? 0, 'cannot decrease the failed counter'),
  },
  {
    broken: ({ status, old, spec }) =>
      (status.succeeded ?? 0) < (old.succeeded ?? 0) &&
      (spec.completionMode !== 'Indexed' || spec.completions !== spec.parallelism),
    error: ({ status }) =>
      invalidField('status.succeeded', status.succeeded ?? 0, 'cannot decrease the succeeded counter'),
  },
  {
    broken: ({ status: { completionTime: now }, old: { completionTime: before } }) =>
      now !== undefined && before !== undefined && (now !== before || isSentZeroTime(now)),
    error: shown('completionTime', 'field is immutable'),
  },
  {
    changed: ['startTime'],
    broken: ({ status, old, spec }) =>
      old.startTime !== undefined &&
      spec.suspend !== true &&
      !(has(old, 'Suspended') && status.conditions?.find(({ type }) => type === 'Suspended')?.status === 'False'),
    error: shown('startTime', 'field is immutable for unsuspended job once set'),
  },
  {
    broken: ({ status, old }) => has(old, 'SuccessCriteriaMet') && !has(status, 'SuccessCriteriaMet'),
    error: conditionsError('cannot disable the SuccessCriteriaMet=True condition'),
  },
  {
    broken: ({ status, old }) =>
      has(old, 'Complete') && !has(old, 'SuccessCriteriaMet') && has(status, 'SuccessCriteriaMet'),
    error: conditionsError('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'),
  },
];

function* applied(rules: readonly TransitionRule[], transition: Transition): Errors {
  for (const { changed, broken, error } of rules) {
    const speaks = changed?.some((aspect) => hasChanged(transition, aspect)) ?? true;
    if (speaks && broken(transition)) yield error(transition);
  }
}

function hasChanged({ status, old }: Transition, aspect: Aspect): boolean {
  const now = aspects[aspect](status);
  return isSentZeroTime(now) || !sameValue(now, aspects[aspect](old));
}

/** In the reference the zero time of a request never equals the stored one, which is another value of Go. */
function isSentZeroTime(value: unknown): boolean {
  return typeof value === 'string' && isZeroTimeText(value);
}

function* uncountedErrors({ uncountedTerminatedPods: pods = {} }: JobStatus): Errors {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods[list] ?? []).entries()) {
      const path = keyPath(childPath('status.uncountedTerminatedPods', list), index);
      if (uid === '') yield invalidField(path, uid, 'must not be empty');
      else if (seen.has(uid)) yield duplicateField(path, uid);
      seen.add(uid);
    }
  }
}

function* indexErrors(transition: Transition): Errors {
  const { status, spec } = transition;
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  const { completions, backoffLimitPerIndex } = spec;
  const [completedChanged, failedChanged] = [
    hasChanged(transition, 'completedIndexes'),
    hasChanged(transition, 'failedIndexes'),
  ];
  const fault = (field: string, text: string, detail: string): FieldError =>
    invalidField(`status.${field}`, text, detail);
  const completedProblem = completions === undefined ? undefined : indexesProblem(completed, completions);
  if (completedChanged && completedProblem !== undefined) {
    yield fault('completedIndexes', completed, `error parsing completedIndexes: ${completedProblem}`);
  }
  if (failedChanged && failed !== undefined && completions !== undefined && backoffLimitPerIndex !== undefined) {
    const problem = indexesProblem(failed, completions);
    if (problem !== undefined) yield fault('failedIndexes', failed, `error parsing failedIndexes: ${problem}`);
  }
  if (completedChanged && completed !== '' && spec.completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    yield fault('completedIndexes', completed, detail);
  }
  if (failedChanged && failed !== undefined && backoffLimitPerIndex === undefined) {
    yield fault('failedIndexes', failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  }
  if ((completedChanged || failedChanged) && failed !== undefined && completions !== undefined) {
    const index = overlappingIndex(completed, failed, completions);
    const detail = `failedIndexes and completedIndexes overlap at index: ${index}`;
    if (index !== undefined) yield fault('failedIndexes', failed, detail);
  }
}

export function* jobStatus({ status = {}, spec = {} }: Job, { status: old = {} }: Job): Errors {
  const transition = { status, old, spec };
  for (const name of counts) yield* nonNegative(status[name], `status.${name}`);
  yield* uncountedErrors(status);
  yield* applied(stateRules, transition);
  yield* indexErrors(transition);
  yield* applied(laterStateRules, transition);
  yield* applied(changeRules, transition);
}
