import { invalidField, requiredField } from '../../api/field-error.ts';
import type { WriteContext } from '../../registry/strategy.ts';
import type * as core from '../../schema/kubernetes/generated/types/core-v1.ts';
import { type Errors, immutable, qualifiedName } from './rules.ts';
import { sameValue } from './same-value.ts';

/** Events of the core group are taken as they were always; those of events.k8s.io have rules of their own. */
function isLegacy({ requestVersion }: WriteContext): boolean {
  return requestVersion === 'v1';
}

export function* event(object: core.Event, context: WriteContext): Errors {
  const namespace = object.metadata?.namespace ?? '';
  const involved = object.involvedObject?.namespace ?? '';
  const differs = invalidField('involvedObject.namespace', involved, 'does not match event.namespace');
  if (object.eventTime === undefined) {
    if (involved === '' ? namespace !== '' && namespace !== 'default' : namespace !== involved) yield differs;
    return;
  }
  if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') yield differs;
  const controllerPath = isLegacy(context) ? 'reportingComponent' : 'reportingController';
  const controller = object.reportingComponent ?? '';
  if (controller === '') yield requiredField(controllerPath);
  yield* qualifiedName(controller, controllerPath);
  for (const name of ['reportingInstance', 'action', 'reason'] as const) {
    const value = object[name] ?? '';
    if (value === '') yield requiredField(name);
    if (Buffer.byteLength(value) > 128) yield invalidField(name, '', 'can have at most 128 characters');
  }
  if (Buffer.byteLength(object.message ?? '') > 1024)
    yield invalidField('message', '', 'can have at most 1024 characters');
}

export const fixedEventFields = [
  ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'type', 'eventTime'],
  ...['action', 'related'],
] as readonly (keyof core.Event)[];

export function* eventUpdate(object: core.Event, old: core.Event): Errors {
  for (const name of fixedEventFields) {
    if (!sameValue(object[name], old[name])) yield* immutable(object[name], old[name], name);
  }
}
