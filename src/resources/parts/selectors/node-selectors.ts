import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors, labelValueErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { each, type Errors, formErrors, qualifiedName } from '../rules/rules.ts';

// Node selectors: by labels and by name.

/** Preferred terms accept any label value. */
function requirement(anyValue: boolean) {
  return function* ({ key = '', operator = '', values = [] }: core.NodeSelectorRequirement, path: string): Errors {
    const valuesPath = childPath(path, 'values');
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) yield requiredField(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        yield forbiddenField(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else if (operator === 'Gt' || operator === 'Lt') {
      if (values.length !== 1) {
        yield requiredField(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      }
    } else yield invalidField(childPath(path, 'operator'), operator, 'not a valid selector operator');
    yield* qualifiedName(key, childPath(path, 'key'));
    if (anyValue) return;
    for (const [index, value] of values.entries()) {
      yield* formErrors(keyPath(valuesPath, index), value, labelValueErrors(value));
    }
  };
}

function* fieldRequirement(
  { key = '', operator = '', values = [] }: core.NodeSelectorRequirement,
  path: string,
): Errors {
  const valuesPath = childPath(path, 'values');
  if (operator !== 'In' && operator !== 'NotIn') {
    yield invalidField(childPath(path, 'operator'), operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    yield requiredField(
      valuesPath,
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key !== 'metadata.name') return yield invalidField(childPath(path, 'key'), key, 'not a valid field selector key');
  for (const [index, value] of values.entries()) {
    yield* formErrors(keyPath(valuesPath, index), value, dnsSubdomainErrors(value));
  }
}

export function nodeSelectorTerm(anyValue: boolean) {
  return function* (term: core.NodeSelectorTerm, path: string): Errors {
    yield* each(requirement(anyValue))(term.matchExpressions, childPath(path, 'matchExpressions'));
    yield* each(fieldRequirement)(term.matchFields, childPath(path, 'matchFields'));
  };
}

export function* nodeSelector({ nodeSelectorTerms = [] }: core.NodeSelector, path: string): Errors {
  const termsPath = childPath(path, 'nodeSelectorTerms');
  if (nodeSelectorTerms.length === 0) yield requiredField(termsPath, 'must have at least one node selector term');
  yield* each(nodeSelectorTerm(false))(nodeSelectorTerms, termsPath);
}
