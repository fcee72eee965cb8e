import type { AdmissionAttributes, VersionedValues } from '../../api/admission.ts';
import { formatGroupVersionKind, type GroupVersionKind } from '../../api/group-version.ts';
import { soon, type Soon } from '../../api/soon.ts';
import { internalError } from '../../api/status-errors.ts';

/** The objects of a write in the versions that validating policies ask for, to be looked at only. */
export class WrittenValues {
  readonly #attributes: AdmissionAttributes;
  readonly #byKind = new Map<string, VersionedValues>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** Throws a StatusError when they cannot be converted. */
  in(kind: GroupVersionKind): Soon<VersionedValues> {
    const key = formatGroupVersionKind(kind);
    const known = this.#byKind.get(key);
    if (known !== undefined) return known;
    return soon(this.#attributes.valuesIn(kind), (values) => {
      if (values === undefined) throw internalError(`unable to convert to ${key}: unknown kind`);
      this.#byKind.set(key, values);
      return values;
    });
  }
}
