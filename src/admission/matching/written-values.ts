import type { AdmissionAttributes, VersionedValues } from '../../api/admission.ts';
import { formatGroupVersionKind, type GroupVersionKind } from '../../api/group-version.ts';
import { internalError } from '../../api/status-errors.ts';

/** The objects of a write in the versions that validating policies ask for, to be looked at only. */
export class WrittenValues {
  readonly #attributes: AdmissionAttributes;
  readonly #byKind = new Map<string, VersionedValues>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** Throws a StatusError when they cannot be converted. */
  async in(kind: GroupVersionKind): Promise<VersionedValues> {
    const key = formatGroupVersionKind(kind);
    const known = this.#byKind.get(key);
    if (known !== undefined) return known;
    const values = await this.#attributes.valuesIn(kind);
    if (values === undefined) throw internalError(`unable to convert to ${key}: unknown kind`);
    this.#byKind.set(key, values);
    return values;
  }
}
