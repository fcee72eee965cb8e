import { invalidField, notSupportedField, requiredField } from '../../../api/errors/field-error.ts';
import type * as batch from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, nonNegative, requiredOneOf } from '../../parts/rules/rules.ts';
import { declaredScheduling } from '../job/scheduling.ts';
import { jobBody } from '../job/validation.ts';
import { scheduleProblem } from './schedule.ts';
import { timeZoneProblem } from '../../../api/time/go-time-zone.ts';

export function* cronJob({ spec = {} }: batch.CronJob, old?: batch.CronJob): Errors {
  const { schedule = '', timeZone, jobTemplate } = spec;
  if (schedule !== '') yield* scheduleFormat(schedule, timeZone, old?.spec?.schedule?.includes('TZ') === true);
  yield* nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds');
  if (timeZone !== undefined && old?.spec?.timeZone !== timeZone) yield* zone(timeZone, 'spec.timeZone');
  yield* requiredOneOf(['Allow', 'Forbid', 'Replace'])(spec.concurrencyPolicy, 'spec.concurrencyPolicy');
  const template = jobTemplate?.spec ?? {};
  yield* jobBody(template, 'spec.jobTemplate.spec');
  if (template.selector !== undefined) {
    const value = internalValue('plain', template.selector);
    yield invalidField('spec.jobTemplate.spec.selector', value, '`selector` will be auto-generated');
  }
  if (template.manualSelector) {
    yield notSupportedField('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']);
  }
  yield* nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit');
  yield* nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit');
}

/** Declarative validation, reported last. */
export function* declaredOfCronJob({ spec }: batch.CronJob, old?: batch.CronJob): Errors {
  if ((spec?.schedule ?? '') === '') yield requiredField('spec.schedule');
  const [job, before] = [spec?.jobTemplate?.spec ?? {}, old && (old.spec?.jobTemplate?.spec ?? {})];
  yield* declaredScheduling(job, before, 'spec.jobTemplate.spec.scheduling');
}

export function* cronJobName({ metadata }: batch.CronJob): Errors {
  const name = metadata?.name ?? '';
  if (Buffer.byteLength(name) > 52) yield invalidField('metadata.name', name, 'must be no more than 52 characters');
}

function* scheduleFormat(schedule: string, timeZone: string | undefined, allowsZone: boolean): Errors {
  const path = 'spec.schedule';
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) yield invalidField(path, schedule, problem);
  if (!schedule.includes('TZ')) return;
  if (!allowsZone) {
    yield invalidField(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (timeZone !== undefined) {
    yield invalidField(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

function* zone(name: string, path: string): Errors {
  if (name === '') return yield invalidField(path, name, 'timeZone must be nil or non-empty string');
  const parts = name.split('/');
  if (parts.some((part) => part === '.' || part === '..' || !/^(?!-)[A-Za-z.\-_0-9+]{1,14}$/.test(part))) {
    return yield invalidField(path, name, `unknown time zone ${name}`);
  }
  if (name.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    yield invalidField(path, name, detail);
  }
  const problem = timeZoneProblem(name);
  if (problem !== undefined) yield invalidField(path, name, problem);
}
