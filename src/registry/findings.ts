import { type FieldErrors, fieldErrorText } from '../api/field-error.ts';
import { collect, type Findings } from '../api/findings.ts';
import type { KubernetesObject } from '../api/object.ts';
import { soon, type Soon } from '../api/soon.ts';
import { invalid } from '../api/status-errors.ts';
import type { StoreKind, WriteScope } from './store-kind.ts';

/** Throws if the object has errors that are not tolerated; tolerated ones become warnings either way. */
export function refuseErrors(
  errors: FieldErrors,
  { resource }: Pick<StoreKind, 'resource'>,
  { object, scope }: { readonly object: KubernetesObject; readonly scope: WriteScope },
): Soon<void> {
  return soon(collect(errors, fieldErrorText), ({ found, isCut }) => {
    if (found.length === 0) return;
    for (const error of found) if (error.isForgiven === true) scope.warn(fieldErrorText(error));
    const refused = found.filter(({ isForgiven }) => isForgiven !== true);
    if (refused.length > 0) throw invalid(resource, object.metadata.name ?? '', refused, { isCut });
  });
}

/** Beyond this limit warnings would not fit into the headers. */
export function tellWarnings(warnings: Findings<string> | undefined, scope: WriteScope): Soon<void> {
  if (warnings === undefined) return;
  return soon(
    collect(warnings, (text) => text),
    ({ found }) => {
      for (const text of found) scope.warn(text);
    },
  );
}
