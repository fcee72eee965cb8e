import type { BuiltInKindsOptions } from '../catalogue/built-in-kinds.ts';
import { fieldsOff } from '../schema/kubernetes/gated-fields.ts';
import { withoutGatedFields } from './gated-fields.ts';
import type { KindEnvironment } from './kind-environment.ts';
import { builtInKind } from './kind-table.ts';

/** The behaviour of built-in kinds beyond their schemas: that of their rows, without the fields of disabled gates. */
export function builtInBehaviour(environment: KindEnvironment): BuiltInKindsOptions['behaviourOf'] {
  const off = fieldsOff(environment.featureGates);
  return ({ group, kind }) => {
    const behaviour = builtInKind(group, kind).behaviourIn(environment);
    return {
      ...behaviour,
      strategyOf: (seen) => withoutGatedFields(behaviour.strategyOf(seen), seen.schema, off),
      tableOf: (printed) => builtInKind(printed.group, printed.kind).table(),
    };
  };
}
