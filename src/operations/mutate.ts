import type { Admission, AdmissionAttributes } from '../api/contracts/admission.ts';
import { FieldPathError } from '../fieldmanagement/path-element.ts';
import { decodeManaged, ManagedFieldsError } from '../fieldmanagement/managed-entries.ts';

const invalidOwners =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests';

/** Runs mutating admission. Owners that a webhook has broken are put back, with a warning. */
export async function mutate(admission: Admission, attributes: AdmissionAttributes): Promise<void> {
  const before = attributes.object?.metadata.managedFields;
  await admission.mutate(attributes);
  const { object } = attributes;
  const after = object?.metadata.managedFields;
  if (object === undefined || after === before) return;
  try {
    decodeManaged(after);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError || error instanceof FieldPathError)) throw error;
    if (before === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = before;
    attributes.warn(`${invalidOwners}: ${error.message}`);
  }
}
