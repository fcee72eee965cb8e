import {
  byGate,
  childPath,
  duplicateField,
  type FieldError,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { joined } from '../../../api/errors/findings.ts';
import { int64Problem } from '../../../api/go/go-integer.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { labelValueErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { each, enumOrEmpty, type Errors, isEmpty, oneOf, positive, qualifiedName } from '../rules/rules.ts';
import { labelSelector } from '../selectors/label-selectors.ts';
import { labelKeys, unmergedLabelKeys } from './affinity.ts';

// Tolerations, taints and topology spread.

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const operatorWithoutKey = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
const effectOfSeconds = "effect must be 'NoExecute' when `tolerationSeconds` is set";
const knownEffect = oneOf(effects);

export const tolerations = each<core.Toleration>((toleration, path) => {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const operatorPath = childPath(path, 'operator');
  const effectPath = childPath(path, 'effect');
  const isOtherEffect = tolerationSeconds !== undefined && effect !== 'NoExecute';
  return joined(
    key === '' ? [] : qualifiedName(key, childPath(path, 'key')),
    key === '' && operator !== 'Exists' ? [invalidField(operatorPath, operator, operatorWithoutKey)] : [],
    isOtherEffect ? [invalidField(effectPath, effect, effectOfSeconds)] : [],
    tolerationOperator(operator, value, { path: operatorPath, valuePath: childPath(path, 'value') }),
    effect === '' ? [] : knownEffect(effect, effectPath),
  );
});

function tolerationOperator(
  operator: string,
  value: string,
  { path, valuePath }: { readonly path: string; readonly valuePath: string },
): Errors {
  if (operator === 'Equal' || operator === '') {
    const texts = labelValueErrors(value);
    return texts.length > 0 ? [invalidField(path, value, texts.join(';'))] : [];
  }
  if (operator === 'Exists') {
    return value === '' ? [] : [invalidField(path, value, "value must be empty when `operator` is 'Exists'")];
  }
  if (operator !== 'Lt' && operator !== 'Gt') return [notSupportedField(path, operator, ['Equal', 'Exists'])];
  return byGate('TaintTolerationComparisonOperators', {
    on: comparedValue(value, valuePath),
    off: [notSupportedField(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])],
  });
}

/** Canonical integers of 64 bits. */
function comparedValue(value: string, path: string): FieldError[] {
  const isCanonical = /^(0|-?[1-9]\d*)$/.test(value);
  const errors = isCanonical ? [] : [invalidField(path, value, 'must be a valid decimal integer in canonical form')];
  const problem = int64Problem(value);
  if (problem === undefined) return errors;
  return [...errors, invalidField(path, value, `strconv.ParseInt: parsing ${goQuote(value)}: ${problem}`)];
}

export function* taints(list: readonly core.Taint[], path: string): Errors {
  const seen = new Set<string>();
  for (const [index, taint] of list.entries()) {
    const itemPath = keyPath(path, index);
    const { key = '', value = '', effect = '' } = taint;
    yield* qualifiedName(key, childPath(itemPath, 'key'));
    const texts = labelValueErrors(value);
    if (texts.length > 0) yield invalidField(childPath(itemPath, 'value'), value, texts.join(';'));
    const effectPath = childPath(itemPath, 'effect');
    if (effect === '') yield requiredField(effectPath);
    else yield* oneOf(effects)(effect, effectPath);
    const pair = `${effect} ${key}`;
    if (seen.has(pair)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
      yield duplicateField(itemPath, shown, 'taints must be unique by key and effect pair');
    }
    seen.add(pair);
  }
}

export function* topologySpread(constraints: readonly core.TopologySpreadConstraint[], path: string): Errors {
  const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: core.TopologySpreadConstraint): string =>
    JSON.stringify([topologyKey, whenUnsatisfiable]);
  const lastIndexes = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const itemPath = keyPath(path, index);
    const { topologyKey = '', whenUnsatisfiable = '' } = constraint;
    yield* positive(constraint.maxSkew, childPath(itemPath, 'maxSkew'));
    if (isEmpty(topologyKey)) yield requiredField(childPath(itemPath, 'topologyKey'), 'can not be empty');
    yield* enumOrEmpty(['DoNotSchedule', 'ScheduleAnyway'])(
      whenUnsatisfiable,
      childPath(itemPath, 'whenUnsatisfiable'),
    );
    if (lastIndexes.get(pairOf(constraint)) !== index) {
      const pairPath = childPath(itemPath, '{topologyKey, whenUnsatisfiable}');
      yield duplicateField(pairPath, `{${topologyKey}, ${whenUnsatisfiable}}`);
    }
    yield* spreadOptions(constraint, itemPath);
  }
}

function* spreadOptions(constraint: core.TopologySpreadConstraint, path: string): Errors {
  const { minDomains, whenUnsatisfiable = '' } = constraint;
  if (minDomains !== undefined) {
    const minPath = childPath(path, 'minDomains');
    yield* positive(minDomains, minPath);
    if (whenUnsatisfiable !== 'DoNotSchedule') {
      const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
      yield invalidField(minPath, minDomains, detail);
    }
  }
  yield* oneOf(['Honor', 'Ignore'])(constraint.nodeAffinityPolicy, childPath(path, 'nodeAffinityPolicy'));
  yield* oneOf(['Honor', 'Ignore'])(constraint.nodeTaintsPolicy, childPath(path, 'nodeTaintsPolicy'));
  yield* byGate('MatchLabelKeysInPodTopologySpreadSelectorMerge', {
    on: labelKeys(constraint, path),
    off: unmergedLabelKeys(constraint, childPath(path, 'matchLabelKeys')),
  });
  yield* labelSelector(constraint.labelSelector, childPath(path, 'labelSelector'));
}
