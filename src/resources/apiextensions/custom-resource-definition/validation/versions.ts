import { childPath, invalidField, requiredField } from '../../../../api/errors/field-error.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { type Errors, isEmpty } from '../../../parts/rules/rules.ts';

// What a version of a custom resource declares besides its schema.

export function* deprecation(
  { deprecated, deprecationWarning: warning }: extensions.CustomResourceDefinitionVersion,
  path: string,
): Errors {
  for (const text of deprecationErrors(deprecated === true, warning)) {
    yield invalidField(childPath(path, 'deprecationWarning'), warning, text);
  }
}

function deprecationErrors(deprecated: boolean, warning: string | undefined): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const errors: string[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push('must be <= 256 characters long');
  if (warning === '') errors.push('must not be an empty string');
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null) {
    const index = Buffer.byteLength(warning.slice(0, unprintable.index));
    errors.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return errors;
}

/** The scale subresource; the status subresource has nothing to validate. */
export function* subresources({ scale }: extensions.CustomResourceSubresources, path: string): Errors {
  if (scale === undefined) return;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  yield* replicasPath(specReplicasPath, childPath(path, 'scale.specReplicasPath'), '.spec');
  yield* replicasPath(statusReplicasPath, childPath(path, 'scale.statusReplicasPath'), '.status');
  if (labelSelectorPath === '') return;
  const selectorPath = childPath(path, 'scale.labelSelectorPath');
  if (!labelSelectorPath.startsWith('.')) yield* simplePath(labelSelectorPath, selectorPath);
  else if (!/^\.(spec|status)\./.test(labelSelectorPath)) {
    yield invalidField(selectorPath, labelSelectorPath, 'should be a json path under either .spec or .status');
  }
}

function* replicasPath(value: string, path: string, root: string): Errors {
  if (value === '') yield requiredField(path);
  else if (!value.startsWith('.')) yield* simplePath(value, path);
  else if (!value.startsWith(`${root}.`)) yield invalidField(path, value, `should be a json path under ${root}`);
}

function* simplePath(value: string, path: string): Errors {
  if (!value.startsWith('.')) yield invalidField(path, value, 'must be a simple json path starting with .');
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function* printerColumn(column: extensions.CustomResourceColumnDefinition, path: string): Errors {
  const { name, type = '', format = '', jsonPath = '' } = column;
  if (isEmpty(name)) yield requiredField(childPath(path, 'name'));
  const typePath = childPath(path, 'type');
  const types = `must be one of ${columnTypes.join(',')}`;
  if (type === '') yield requiredField(typePath, types);
  else if (!columnTypes.includes(type)) yield invalidField(typePath, type, types);
  if (format !== '' && !columnFormats.includes(format)) {
    yield invalidField(childPath(path, 'format'), format, `must be one of ${columnFormats.join(',')}`);
  }
  const jsonPathField = childPath(path, 'JSONPath');
  if (jsonPath === '') yield requiredField(jsonPathField);
  else yield* simplePath(jsonPath, jsonPathField);
}
