import type { AdmissionAttributes } from '../../api/admission.ts';
import type { Authorizer } from '../../api/authorization.ts';
import type { Clock } from '../../api/clock.ts';
import { matchesLabels } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { notFound } from '../../api/status-errors.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { refusal } from '../refusal.ts';
import type { HookCall } from './hook-rules.ts';
import type { HookMeasures } from './hook-measures.ts';
import { namespaceOf } from './review.ts';
import type { WrittenVersions } from './written-versions.ts';

export interface SelectionContext {
  readonly stored: StoredObjects;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly measures: HookMeasures;
}

const namespaces = { group: '', version: 'v1', plural: 'namespaces' } as const;

/** Whether the selectors and conditions of a webhook select a write that its rules match. Throws a StatusError. */
export async function isSelected(
  context: SelectionContext,
  call: HookCall,
  attributes: AdmissionAttributes,
  versions: WrittenVersions,
): Promise<boolean> {
  const { namespaceSelector, objectSelector, conditions } = call.hook;
  if (namespaceSelector.length > 0) {
    const labels = await namespaceLabels(context, attributes);
    if (labels !== undefined && !matchesLabels(namespaceSelector, labels)) return false;
  }
  if (objectSelector.length > 0) {
    const { object, oldObject } = attributes;
    const isMatch = (each: Readonly<KubernetesObject> | undefined): boolean =>
      each !== undefined && matchesLabels(objectSelector, each.metadata.labels ?? {});
    if (!isMatch(object) && !isMatch(oldObject)) return false;
  }
  return conditions.length === 0 || (await meetsConditions(context, call, attributes, versions));
}

/** Labels of the namespace that the write is in or about; undefined for other cluster-scoped resources, which match. */
async function namespaceLabels(
  { stored }: SelectionContext,
  attributes: AdmissionAttributes,
): Promise<{ readonly [key: string]: string } | undefined> {
  const { operation, resource, subresource, object } = attributes;
  const name = namespaceOf(attributes);
  if (name === '' && resource !== 'namespaces') return undefined;
  // What is stored is older than what is written.
  const isWritten =
    resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  if (isWritten) return object?.metadata.labels ?? {};
  const namespace = await stored.get(namespaces, { namespace: '', name });
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  return namespace.metadata.labels ?? {};
}

async function meetsConditions(
  { authorizer, clock, measures }: SelectionContext,
  call: HookCall,
  attributes: AdmissionAttributes,
  versions: WrittenVersions,
): Promise<boolean> {
  const { hook } = call;
  const { evaluateConditions, conditionErrorText } = await import('./hook-conditions.ts');
  const version = await versions.in(call.kind);
  const startMs = clock.now();
  const { matches, errors } = await evaluateConditions(call, attributes, { version, authorizer });
  const seconds = (clock.now() - startMs) / 1_000;
  const excluded = !matches && (errors.length === 0 || hook.failsOpen);
  measures.conditions(
    { name: hook.name, operation: attributes.operation },
    { seconds, errors: errors.length, excluded },
  );
  if (matches || excluded) return matches;
  throw refusal(attributes, conditionErrorText(errors));
}
