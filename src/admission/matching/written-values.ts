import type { AdmissionAttributes, VersionedValues } from '../../api/contracts/admission.ts';
import { formatGroupVersionKind, type GroupVersionKind } from '../../api/meta/group-version.ts';
import { internalError } from '../../api/errors/status-errors.ts';

/** The objects of a write in the versions that expressions ask for, to be looked at only. */
export class WrittenValues {
  readonly #attributes: AdmissionAttributes;
  /** Nearly always of one kind. */
  #known: { readonly kind: GroupVersionKind; readonly values: VersionedValues }[] = [];

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** Throws a StatusError when they cannot be converted. */
  async in(kind: GroupVersionKind): Promise<VersionedValues> {
    for (const known of this.#known) if (isSameKind(known.kind, kind)) return known.values;
    const values = await this.#attributes.valuesIn(kind);
    if (values === undefined) throw internalError(`unable to convert to ${formatGroupVersionKind(kind)}: unknown kind`);
    this.#known.push({ kind, values });
    return values;
  }

  /** To be called when the object has been replaced. */
  forget(): void {
    this.#known = [];
  }
}

function isSameKind(one: GroupVersionKind, other: GroupVersionKind): boolean {
  return one.kind === other.kind && one.version === other.version && one.group === other.group;
}
