import { invalidField, requiredField } from '../../../api/errors/field-error.ts';
import type { JsonValue } from '../../../api/json/json.ts';
import { nameRules } from '../../../api/meta/names.ts';
import type { ObjectMeta } from '../../../api/meta/object.ts';
import { validateObjectMeta } from '../../../api/validation/object-meta-validation.ts';
import { isZeroTimeText } from '../../../api/time/time.ts';
import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { finalizerErrors } from '../../kind-checks.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, immutableMessage, qualifiedName } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

/** Events created through the core group keep their lenient validation; those of events.k8s.io have their own rules. */
function isLegacy({ requestGroup }: WriteContext): boolean {
  return requestGroup === '';
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

/** Required and forbidden fields of events.k8s.io events. */
export function* eventCreate(object: core.Event, context: WriteContext): Errors {
  if (isLegacy(context)) return;
  const metadata = object.metadata ?? {};
  // Generated types have all members optional, also those that decoding sets.
  yield* validateObjectMeta(metadata as ObjectMeta, { namespaced: true, nameRule: nameRules.dnsSubdomain });
  yield* finalizerErrors(metadata.finalizers);
  yield* series(object);
  if (object.eventTime === undefined) yield requiredField('eventTime');
  const { type = '', source = {} } = object;
  if (type !== 'Normal' && type !== 'Warning') yield invalidField('type', '', `has invalid value: ${type}`);
  for (const name of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (object[name] !== undefined) yield invalidField(name, '', unset);
  }
  if ((source.component ?? '') !== '' || (source.host ?? '') !== '') yield invalidField('source', '', unset);
}

const unset = 'needs to be unset';

function* series({ series: given }: core.Event): Errors {
  if (given === undefined) return;
  if ((given.count ?? 0) < 2) yield invalidField('series.count', '', 'should be at least 2');
  if (given.lastObservedTime === undefined) yield requiredField('series.lastObservedTime');
}

const fixedFields: readonly { readonly field: keyof core.Event; readonly path: string }[] = [
  ...(['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count'] as const),
  ...(['type', 'eventTime', 'action', 'related', 'reportingComponent', 'reportingInstance'] as const),
].map((field) => ({ field, path: field === 'reportingComponent' ? 'reportingController' : field }));

/** Once stored, and in errors, a zero time is none. */
function stored<T extends core.Event[keyof core.Event]>(value: T): T | undefined {
  return typeof value === 'string' && isZeroTimeText(value) ? undefined : value;
}

function shown(object: core.Event, field: keyof core.Event): JsonValue {
  switch (field) {
    case 'involvedObject':
      return internalValue('core.ObjectReference', object[field]);
    case 'related':
      return internalValue('*core.ObjectReference', object[field]);
    case 'count':
      return object[field] ?? 0;
    case 'source':
      return { Component: object[field]?.component ?? '', Host: object[field]?.host ?? '' };
    case 'eventTime':
    case 'firstTimestamp':
    case 'lastTimestamp':
      return stored(object[field]) ?? null;
    default:
      return (object[field] ?? '') as JsonValue; // a string
  }
}

export function* eventUpdate(object: core.Event, old: core.Event, context: WriteContext): Errors {
  if (isLegacy(context)) return;
  yield* finalizerErrors(object.metadata?.finalizers);
  if (!sameValue(object.series, old.series)) yield* series(object);
  for (const { field, path } of fixedFields) {
    if (sameValue(stored(object[field]), stored(old[field]))) continue;
    yield invalidField(path, shown(object, field), immutableMessage);
  }
}
