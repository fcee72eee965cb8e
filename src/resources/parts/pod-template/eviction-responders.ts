import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import type { EvictionResponder } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { keyOfOthers } from '../rules/declared-formats.ts';
import { repetitions } from '../rules/repetitions.ts';
import type { Errors } from '../rules/rules.ts';

const maxResponders = 10;

const [maxOfSystem, maxPriority] = [999, 100_000];

/** Validates the responders to the eviction of a pod, which are in order. */
export function* evictionResponders(responders: readonly EvictionResponder[] = [], path: string): Errors {
  if (responders.length > maxResponders) return yield tooManyField(path, responders.length, maxResponders);
  const isRepeated = repetitions();
  for (const [index, { name = '', priority }] of responders.entries()) {
    if (!isRepeated(name)) continue;
    yield duplicateField(keyPath(path, index), { name, priority: priority ?? null });
  }
  for (const [index, responder] of responders.entries()) {
    yield* evictionResponder(responder, keyPath(path, index));
  }
}

function* evictionResponder({ name = '', priority }: EvictionResponder, path: string): Errors {
  if (name === '') yield requiredField(childPath(path, 'name'));
  else yield* keyOfOthers(name, childPath(path, 'name'));
  const at = childPath(path, 'priority');
  if (priority === undefined) return yield requiredField(at);
  if (priority >= 0 && priority <= maxOfSystem) {
    yield invalidField(at, priority, `priorities 0-${maxOfSystem} are reserved for responders with *.k8s.io suffix`);
  }
  if (priority > maxPriority) yield invalidField(at, priority, `must be less than or equal to ${maxPriority}`);
  if (priority < 0) yield invalidField(at, priority, 'must be greater than or equal to 0');
}
