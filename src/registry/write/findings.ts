import { type FieldError, type FieldErrors, fieldErrorText } from '../../api/errors/field-error.ts';
import { collect, type Findings } from '../../api/errors/findings.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { invalid } from '../../api/errors/status-errors.ts';
import type { StoreKind, WriteScope } from '../stored/store-kind.ts';
import type { Refusals } from '../kinds/strategy.ts';

/** The scope of a write, with what a permission check has refused. */
export function refusedScope(scope: WriteScope, refusals: Refusals | void): WriteScope {
  return refusals === undefined ? scope : { ...scope, refusals };
}

/** Throws if the object has errors that are not tolerated; tolerated ones become warnings either way. */
export function refuseErrors(
  errors: FieldErrors,
  { resource, strategy }: Pick<StoreKind, 'resource' | 'strategy'>,
  { object, scope }: { readonly object: KubernetesObject; readonly scope: WriteScope },
): void {
  const { refusals } = scope;
  const all = refusals === undefined ? errors : withRefusals(errors, refusals);
  const errorText = strategy.tellsRepetitions === true ? eachByItself() : fieldErrorText;
  const { found, isCut } = collect(all, errorText, ({ mayRepeat = false }) => mayRepeat);
  for (const error of found) if (error.isForgiven === true) scope.warn(fieldErrorText(error));
  const refused = found.filter(({ isForgiven }) => isForgiven !== true);
  if (refused.length > 0) throw invalid(resource, object.metadata.name ?? '', refused, { isCut });
}

/** Texts of errors, all different. */
function eachByItself(): (error: FieldError) => string {
  let count = 0;
  return (error) => `${++count} ${fieldErrorText(error)}`;
}

function* withRefusals(errors: FieldErrors, { first = [], ifValid = [] }: Refusals): FieldErrors {
  yield* first;
  let isValid = true;
  for (const error of errors) {
    if (error.isForgiven !== true) isValid = false;
    yield error;
  }
  if (isValid) yield* ifValid;
}

/** Beyond this limit warnings would not fit into the headers. */
export function tellWarnings(warnings: Findings<string> | undefined, scope: WriteScope): void {
  if (warnings === undefined) return;
  for (const text of collect(warnings, (warning) => warning).found) scope.warn(text);
}
