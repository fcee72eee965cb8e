import { childPath, tooManyField } from '../../../api/errors/field-error.ts';
import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { deviceName, driverName, poolName } from '../device-names.ts';
import { ordered } from '../late-errors.ts';
import { deviceTaint } from '../device-taint.ts';

function* taintRule({ spec = {} }: resource.DeviceTaintRule, old?: resource.DeviceTaintRule): Errors {
  const { deviceSelector: selector, taint = {} } = spec;
  const path = 'spec.deviceSelector';
  if (selector?.driver !== undefined) yield* driverName(selector.driver, childPath(path, 'driver'));
  if (selector?.pool !== undefined) yield* poolName(selector.pool, childPath(path, 'pool'));
  if (selector?.device !== undefined) yield* deviceName(selector.device, childPath(path, 'device'));
  yield* deviceTaint(taint, old === undefined ? undefined : (old.spec?.taint ?? {}), 'spec.taint');
}

export const deviceTaintRule = (rule: resource.DeviceTaintRule): Errors => ordered(taintRule(rule));

export const deviceTaintRuleUpdate = (rule: resource.DeviceTaintRule, old: resource.DeviceTaintRule): Errors =>
  ordered(taintRule(rule, old));

const maxConditions = 8;

export function* deviceTaintRuleStatus({ status = {} }: resource.DeviceTaintRule): Errors {
  const { conditions = [] } = status;
  yield* statusConditions(conditions, 'status.conditions');
  if (conditions.length > maxConditions) yield tooManyField('status.conditions', conditions.length, maxConditions);
}
