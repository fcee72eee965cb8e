import { duplicateField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type * as nodes from '../../../schema/kubernetes/generated/types/node-v1.ts';
import { containerResourceName, resourceRequirements } from '../../parts/amounts/quantities.ts';
import { tolerations } from '../../parts/pod-template/scheduling.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { dnsLabel, type Errors, isEmpty, labels, sealedField, shortName } from '../../parts/rules/rules.ts';

export function* runtimeClass(object: nodes.RuntimeClass): Errors {
  yield* resourcesAndPlacement(object);
  const { handler = '' } = object;
  if (handler === '') yield requiredField('handler');
  else yield* shortName(handler, 'handler');
}

function* resourcesAndPlacement({ overhead, scheduling: placement }: nodes.RuntimeClass): Errors {
  const limits = overhead?.podFixed;
  if (limits) yield* resourceRequirements(containerResourceName)({ limits }, 'overhead');
  if (placement) {
    const path = 'scheduling.tolerations';
    yield* labels(placement.nodeSelector, 'scheduling.nodeSelector');
    yield* tolerations(placement.tolerations, path);
    const seen = new Set<string>();
    for (const [index, toleration] of (placement.tolerations ?? []).entries()) {
      const { key = '', operator = '', value = '', effect = '' } = toleration;
      const identity = [key, operator, value, effect].join(' ');
      if (seen.has(identity)) yield duplicateField(keyPath(path, index), internalValue('core.Toleration', toleration));
      seen.add(identity);
    }
  }
}

export function* runtimeClassUpdate(object: nodes.RuntimeClass, old: nodes.RuntimeClass): Errors {
  yield* resourcesAndPlacement(object);
  const { handler = '' } = object;
  // Declared rules end with the handler that must not change: these are the older ones.
  if (handler !== '') yield* dnsLabel(handler, 'handler');
  yield* sealedField(handler, old.handler ?? '', 'handler');
  if (handler === '' && !isEmpty(old.handler)) yield requiredField('handler');
}
