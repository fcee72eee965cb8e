import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { type LabelSelector as Requirements, matchesLabels } from '../../../api/selectors/label-selector.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../../api/meta/names.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { each, type Errors, formErrors, labels, qualifiedName } from '../rules/rules.ts';

/** A LabelSelector object. */
export function* labelSelector(selector: LabelSelector | undefined, path: string): Errors {
  if (selector === undefined) return;
  yield* labels(selector.matchLabels, childPath(path, 'matchLabels'));
  yield* each(requirement)(selector.matchExpressions, childPath(path, 'matchExpressions'));
}

function* requirement({ key = '', operator = '', values = [] }: LabelSelectorRequirement, path: string): Errors {
  const valuesPath = childPath(path, 'values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) yield requiredField(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      yield forbiddenField(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else yield invalidField(childPath(path, 'operator'), operator, 'not a valid selector operator');
  yield* qualifiedName(key, childPath(path, 'key'));
  for (const [index, value] of values.entries()) {
    yield* formErrors(keyPath(valuesPath, index), value, labelValueErrors(value));
  }
}

const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' } as const;

/** The requirements of a selector object; undefined if malformed. */
export function selectorRequirements(selector: LabelSelector): Requirements | undefined {
  const requirements: Requirements[number][] = [];
  const { matchLabels = {} } = selector;
  for (const key in matchLabels) {
    const value = matchLabels[key] ?? '';
    if (qualifiedNameErrors(key).length > 0 || labelValueErrors(value).length > 0) return undefined;
    requirements.push({ key, operator: '=', values: [value] });
  }
  for (const { key = '', operator = '', values = [] } of selector.matchExpressions ?? []) {
    if (!Object.hasOwn(operators, operator) || qualifiedNameErrors(key).length > 0) return undefined;
    const takesValues = operator === 'In' || operator === 'NotIn';
    if (takesValues !== values.length > 0 || values.some((value) => labelValueErrors(value).length > 0))
      return undefined;
    // Checked above.
    requirements.push({ key, operator: operators[operator as keyof typeof operators], values });
  }
  return requirements;
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

/** Whether a well-formed selector object selects the labels; an absent one selects nothing. */
export function selects(selector: LabelSelector | undefined, values: { readonly [key: string]: string }): boolean {
  const requirements = selector === undefined ? undefined : selectorRequirements(selector);
  return requirements !== undefined && matchesLabels(requirements, values);
}
