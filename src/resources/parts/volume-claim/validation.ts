import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { allOf } from '../../../api/errors/findings.ts';
import { metadataFieldNames } from '../../../api/meta/metadata-field-names.ts';
import { dnsSubdomainErrors, nameRules } from '../../../api/meta/names.ts';
import { annotationErrors } from '../../../api/validation/object-meta-validation.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { amount, positiveQuantity } from '../amounts/quantities.ts';
import { className } from '../pod-template/volume-sources.ts';
import { type Errors, formErrors, isEmpty, labels, oneOf, required } from '../rules/rules.ts';
import { isSet } from '../rules/set-fields.ts';
import { labelSelector } from '../selectors/label-selectors.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Access modes of volumes and claims. */
export function* accessModes(values: readonly string[], path: string): Errors {
  for (const mode of values) yield* oneOf(modes)(mode, path);
  const others = values.some((mode) => mode !== 'ReadWriteOncePod' && modes.includes(mode));
  if (values.includes('ReadWriteOncePod') && others) {
    yield forbiddenField(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

export const volumeMode = oneOf(['Block', 'Filesystem']);

/** `keepsApiGroups`: for an update of a claim that already names a group. */
export interface ClaimSpecOptions {
  readonly keepsApiGroups?: boolean;
}

export function* persistentVolumeClaimSpec(
  spec: core.PersistentVolumeClaimSpec,
  path: string,
  options: ClaimSpecOptions = {},
): Errors {
  const modesPath = childPath(path, 'accessModes');
  if (isEmpty(spec.accessModes)) yield requiredField(modesPath, 'at least 1 access mode is required');
  yield* labelSelector(spec.selector, childPath(path, 'selector'));
  yield* accessModes(spec.accessModes ?? [], modesPath);
  yield* storageRequest(spec.resources?.requests?.['storage'], keyPath(childPath(path, 'resources'), 'storage'));
  yield* className(spec.storageClassName, childPath(path, 'storageClassName'));
  yield* volumeMode(spec.volumeMode, childPath(path, 'volumeMode'));
  yield* dataSources(spec, path, options);
  yield* className(spec.volumeAttributesClassName, childPath(path, 'volumeAttributesClassName'));
}

function* storageRequest(value: string | undefined, path: string): Errors {
  if (value === undefined) return yield requiredField(path);
  const errors = allOf(positiveQuantity(value, path));
  yield* errors.length > 0 ? errors : amount('storage', value, path);
}

function* dataSources(spec: core.PersistentVolumeClaimSpec, path: string, options: ClaimSpecOptions): Errors {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource) yield* typedReference(dataSource, childPath(path, 'dataSource'), options);
  if (dataSourceRef) {
    yield* typedReference(dataSourceRef, childPath(path, 'dataSourceRef'), options);
    const { namespace = '' } = dataSourceRef;
    if (namespace !== '') {
      const texts = nameRules.dnsLabel(namespace, false);
      yield* formErrors(childPath(path, 'dataSourceRef.namespace'), namespace, texts);
    }
  }
  if (!dataSource || !dataSourceRef) return;
  // The reference passes a path as the value here, which prints as an empty object.
  if (!isEmpty(dataSourceRef.namespace)) {
    yield invalidField(path, {}, 'may not be specified when dataSourceRef.namespace is specified');
  } else if (
    dataSource.apiGroup !== dataSourceRef.apiGroup ||
    dataSource.kind !== dataSourceRef.kind ||
    dataSource.name !== dataSourceRef.name
  ) {
    yield invalidField(path, {}, 'must match dataSourceRef');
  }
}

function* typedReference(reference: core.TypedObjectReference, path: string, options: ClaimSpecOptions): Errors {
  yield* required()(reference.name, childPath(path, 'name'));
  yield* required()(reference.kind, childPath(path, 'kind'));
  const { apiGroup = '', kind = '' } = reference;
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    yield invalidField(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup !== '' && options.keepsApiGroups !== true) {
    yield* formErrors(childPath(path, 'apiGroup'), apiGroup, dnsSubdomainErrors(apiGroup));
  }
}

export function* persistentVolumeClaimTemplate(template: core.PersistentVolumeClaimTemplate, path: string): Errors {
  yield* templateMeta(template.metadata ?? {}, childPath(path, 'metadata'));
  yield* persistentVolumeClaimSpec(template.spec ?? {}, childPath(path, 'spec'));
}

/** Metadata of a template, of which only labels and annotations are used. */
export function* templateMeta(meta: ObjectMeta, path: string): Errors {
  yield* annotationErrors(meta.annotations ?? {}, childPath(path, 'annotations'));
  yield* labels(meta.labels, childPath(path, 'labels'));
  for (const name of metadataFieldNames) {
    if (name === 'labels' || name === 'annotations') continue;
    const shown = name === 'uid' ? 'uID' : name;
    if (isSet(meta, name)) yield forbiddenField(childPath(path, shown), 'cannot be set');
  }
}
