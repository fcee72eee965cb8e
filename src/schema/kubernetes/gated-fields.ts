import type { FieldsOff } from '../gated-fields.ts';
import { gatedFields as table } from './generated/gated-fields.ts';

/** Fields whose gate the table does not know. */
const unmarked = `io.k8s.api.core.v1.Lifecycle stopSignal ContainerStopSignals`;

/** A reference into another namespace is no reference into one's own. */
const whole: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.TypedObjectReference']);

/** A container without hooks has no life cycle. */
const unlessEmpty: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.Lifecycle']);

/** The fields that do not exist with these states of the gates. Gates that are gone count as on: what they guarded is there for good. */
export function fieldsOff(gates: ReadonlyMap<string, boolean>): FieldsOff {
  const off = new Map<string, Map<string, string>>();
  for (const line of `${table}\n${unmarked}`.split('\n')) {
    const [definition = '', field = '', names = ''] = line.split(' ');
    const gate = names.split(',').find((name) => gates.get(name) === false);
    if (gate === undefined) continue;
    const fields = off.get(definition) ?? new Map<string, string>();
    off.set(definition, fields.set(field, gate));
  }
  return { gates: off, whole, unlessEmpty };
}
