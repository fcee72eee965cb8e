import { keepNotes } from '../../../api/json/written-notes.ts';

interface WithSpec {
  spec?: object;
}

/** Sets fields of the spec of an object, whose other fields stay as they were written. */
export function setInSpec<T extends WithSpec>(object: T, fields: Partial<NonNullable<T['spec']>>): void {
  const spec = object.spec ?? {};
  object.spec = keepNotes(spec, { ...spec, ...fields });
}
