import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { getOwn } from '../../../api/json/json.ts';
import { qualifiedNameErrors } from '../../../api/meta/names.ts';
import { parseQuantity, quantityValue } from '../../../api/values/quantity.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import {
  compareTexts,
  containerResourceName,
  isOvercommitAllowed,
  resourceName,
} from '../../parts/amounts/quantities.ts';
import { type Errors, formErrors } from '../../parts/rules/rules.ts';

export function* limitRange({ spec }: core.LimitRange): Errors {
  const types = new Set<string>();
  for (const [index, item] of (spec?.limits ?? []).entries()) {
    const path = keyPath('spec.limits', index);
    const { type = '' } = item;
    const texts = qualifiedNameErrors(type);
    yield* formErrors(childPath(path, 'type'), type, texts);
    if (texts.length === 0 && !type.includes('/') && !['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) {
      yield invalidField(childPath(path, 'type'), type, 'must be a standard limit type or fully qualified');
    }
    if (types.has(type)) yield duplicateField(childPath(path, 'type'), type);
    types.add(type);
    yield* limits(item, path);
  }
}

const limitLists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function* limits(item: core.LimitRangeItem, path: string): Errors {
  const isPod = item.type === 'Pod';
  const nameRule = isPod || item.type === 'Container' ? containerResourceName : resourceName;
  const keys = new Set<string>();
  for (const list of limitLists) {
    const isDefault = list === 'default' || list === 'defaultRequest';
    const names = Object.keys(item[list] ?? {});
    if (isPod && isDefault) {
      if (names.length > 0) yield forbiddenField(childPath(path, list), "may not be specified when `type` is 'Pod'");
      continue;
    }
    const isClaim = item.type === 'PersistentVolumeClaim';
    if (list === 'maxLimitRequestRatio' && isClaim && !item.min?.['storage'] && !item.max?.['storage']) {
      const detail = 'either minimum or maximum storage value is required, but neither was provided';
      yield requiredField(childPath(path, 'limits'), detail);
    }
    for (const name of names) {
      yield* nameRule(name, keyPath(childPath(path, list), name));
      keys.add(name);
    }
  }
  for (const key of keys) yield* limitsOf(item, key, path);
}

/** `[low, high]`: low must not exceed high; which list the error is reported at, and which value it shows. */
const orders = [
  { low: 'min', high: 'max', at: 'min', shown: 'min', text: 'min value %l is greater than max value %h' },
  {
    low: 'min',
    high: 'defaultRequest',
    at: 'defaultRequest',
    shown: 'defaultRequest',
    text: 'min value %l is greater than default request value %h',
  },
  {
    low: 'defaultRequest',
    high: 'max',
    at: 'defaultRequest',
    shown: 'defaultRequest',
    text: 'default request value %l is greater than max value %h',
  },
  {
    low: 'defaultRequest',
    high: 'default',
    at: 'defaultRequest',
    shown: 'defaultRequest',
    text: 'default request value %l is greater than default limit value %h',
  },
  { low: 'min', high: 'default', at: 'default', shown: 'min', text: 'min value %l is greater than default value %h' },
  { low: 'default', high: 'max', at: 'default', shown: 'max', text: 'default value %l is greater than max value %h' },
] as const;

function* limitsOf(item: core.LimitRangeItem, key: string, path: string): Errors {
  const value = (list: (typeof limitLists)[number]): string | undefined =>
    item.type === 'Pod' && (list === 'default' || list === 'defaultRequest') ? undefined : getOwn(item[list], key);
  for (const { low, high, at, shown, text } of orders) {
    const [a, b] = [value(low), value(high)];
    if (a === undefined || b === undefined || compareTexts(a, b) <= 0) continue;
    const detail = text.replace('%l', a).replace('%h', b);
    yield invalidField(keyPath(childPath(path, at), key), value(shown) ?? '', detail);
  }
  const [ratio, min, max] = [value('maxLimitRequestRatio'), value('min'), value('max')];
  const ratioPath = keyPath(childPath(path, 'maxLimitRequestRatio'), key);
  if (ratio !== undefined && compareTexts(ratio, '1') < 0)
    yield invalidField(ratioPath, ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const limit = milli(max) / milli(min);
    if (milli(ratio) / 1000 > limit) {
      yield invalidField(ratioPath, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`);
    }
  }
  const [standard, request] = [value('default'), value('defaultRequest')];
  if (
    isOvercommitAllowed(key) ||
    standard === undefined ||
    request === undefined ||
    compareTexts(standard, request) === 0
  )
    return;
  const detail = `default value ${standard} must equal to defaultRequest value ${request} in ${key}`;
  yield invalidField(keyPath(childPath(path, 'defaultRequest'), key), request, detail);
}

function milli(text: string): number {
  const quantity = parseQuantity(text);
  return Number(quantityValue({ ...quantity, exponent: quantity.exponent + 3 }));
}
