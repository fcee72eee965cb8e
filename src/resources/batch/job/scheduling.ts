import { childPath, invalidField } from '../../../api/errors/field-error.ts';
import type { JobSpec } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { declaredOfStruct } from '../../parts/rules/declared.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

// How the pods of a job are scheduled as a group (`spec.scheduling`).

export function* jobScheduling({ scheduling, parallelism = 1 }: JobSpec, path: string): Errors {
  if (scheduling === undefined) return;
  const { schedulingPolicy: policy, disruptionMode: mode } = scheduling;
  const { minCount = 0 } = policy?.gang ?? {};
  if (minCount > parallelism) {
    const detail = `must not be greater than parallelism (${parallelism})`;
    yield invalidField(childPath(path, 'schedulingPolicy.gang.minCount'), minCount, detail);
  }
  const isBasic = policy === undefined || policy.basic !== undefined;
  if (isBasic && mode?.all !== undefined && mode.single === undefined) {
    const detail = 'the disruptionMode `all` is not supported with the Basic scheduling policy';
    yield invalidField(childPath(path, 'disruptionMode'), '', detail);
  }
}

export function* jobSchedulingUpdate({ scheduling }: JobSpec, old: JobSpec, path: string): Errors {
  const [policy, before] = [scheduling?.schedulingPolicy, old.scheduling?.schedulingPolicy];
  if (policy === undefined || before === undefined) return;
  if ((policy.basic === undefined) === (before.basic === undefined)) return;
  const detail =
    'the basic/gang policy variant is immutable after creation; only schedulingPolicy.gang.minCount may be updated';
  yield invalidField(childPath(path, 'schedulingPolicy'), null, detail);
}

/** What its type declares; reported last. */
export function* declaredScheduling({ scheduling }: JobSpec, old: JobSpec | undefined, path: string): Errors {
  if (old !== undefined) {
    const [is, was] = [scheduling !== undefined, old.scheduling !== undefined];
    if (is && !was) yield invalidField(path, null, 'field cannot be set once created');
    if (was && !is) yield invalidField(path, null, 'field cannot be cleared once set');
    if (is !== was || sameValue(scheduling, old.scheduling)) return;
  }
  if (scheduling === undefined) return;
  yield* declaredOfStruct('io.k8s.api.batch.v1.JobSchedulingConfiguration', scheduling, old?.scheduling, path);
}
