import { type FieldErrors, fieldErrorText } from '../api/field-error.ts';
import { collect, type Findings } from '../api/findings.ts';
import type { KubernetesObject } from '../api/object.ts';
import { invalid } from '../api/status-errors.ts';
import type { Resource } from '../schema/resource.ts';
import type { WriteScope } from './store-kind.ts';

/** Throws when there is anything wrong with the object. */
export async function refuseErrors(errors: FieldErrors, resource: Resource, object: KubernetesObject): Promise<void> {
  const { found, isCut } = await collect(errors, fieldErrorText);
  if (found.length > 0) throw invalid(resource, object.metadata.name ?? '', found, { isCut });
}

/** More warnings than are collected fit into no header. */
export async function tellWarnings(warnings: Findings<string> | undefined, scope: WriteScope): Promise<void> {
  if (warnings === undefined) return;
  const { found } = await collect(warnings, (text) => text);
  for (const text of found) scope.warn(text);
}
