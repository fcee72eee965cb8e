import { type FieldError, type FieldErrors, fieldErrorText } from '../api/field-error.ts';
import { collect, type Collected, type Findings } from '../api/findings.ts';
import type { KubernetesObject } from '../api/object.ts';
import { soon, type Soon } from '../api/soon.ts';
import { invalid } from '../api/status-errors.ts';
import type { StoreKind, WriteScope } from './store-kind.ts';
import type { Refusals } from './strategy.ts';

/** The scope of a write, with what a permission check has refused. */
export function refusedScope(scope: WriteScope, refusals: Refusals | void): WriteScope {
  return refusals === undefined ? scope : { ...scope, refusals };
}

/** Throws if the object has errors that are not tolerated; tolerated ones become warnings either way. */
export function refuseErrors(
  errors: FieldErrors,
  { resource, strategy }: Pick<StoreKind, 'resource' | 'strategy'>,
  { object, scope }: { readonly object: KubernetesObject; readonly scope: WriteScope },
): Soon<void> {
  const { refusals } = scope;
  const all = refusals === undefined ? errors : withRefusals(errors, refusals);
  return soon(
    collect(
      all,
      strategy.tellsRepetitions === true ? eachByItself() : fieldErrorText,
      ({ mayRepeat = false }) => mayRepeat,
    ),
    (collected) => (collected.found.length === 0 ? undefined : refusing(collected, resource, { object, scope })),
  );
}

/** Texts of errors, all different. */
function eachByItself(): (error: FieldError) => string {
  let count = 0;
  return (error) => `${++count} ${fieldErrorText(error)}`;
}

function refusing(
  { found, isCut }: Collected<FieldError>,
  resource: StoreKind['resource'],
  { object, scope }: { readonly object: KubernetesObject; readonly scope: WriteScope },
): void {
  for (const error of found) if (error.isForgiven === true) scope.warn(fieldErrorText(error));
  const refused = found.filter(({ isForgiven }) => isForgiven !== true);
  if (refused.length === 0) return;
  const refusal = invalid(resource, object.metadata.name ?? '', refused, { isCut });
  // To compose thousands of errors takes as long as to encode them.
  throw refusal;
}

function* withRefusals(errors: FieldErrors, { first = [], ifValid = [] }: Refusals): FieldErrors {
  yield* first;
  let isValid = true;
  for (const error of errors) {
    if (error !== undefined && error.isForgiven !== true) isValid = false;
    yield error;
  }
  if (isValid) yield* ifValid;
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
