import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../../../../api/errors/field-error.ts';
import type { JsonSchema } from '../../../../schema/custom/json-schema.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { each, type Errors } from '../../../parts/rules/rules.ts';
import { FieldPathError, resolveFieldPath } from '../../../../schema/custom/field-path.ts';
import { structuralProblem } from '../../../../schema/custom/structural-schemas.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** `x-kubernetes-validations`; the expressions themselves are not compiled. */
export function schemaRules(schema: JsonSchema, path: string): Errors {
  const rulesPath = childPath(path, 'x-kubernetes-validations');
  return each<extensions.ValidationRule>((rule, itemPath) => ruleErrors(schema, rule, itemPath))(
    schema['x-kubernetes-validations'],
    rulesPath,
  );
}

const hasNewline = (text: string): boolean => /[\n\r]/.test(text);

function* ruleErrors(schema: JsonSchema, rule: extensions.ValidationRule, path: string): Errors {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
  yield* textErrors((rule.rule ?? '').trim(), message, path);
  if (messageExpression !== '' && messageExpression.trim() === '') {
    yield requiredField(childPath(path, 'messageExpression'), 'messageExpression must be non-empty if specified');
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    yield notSupportedField(childPath(path, 'reason'), reason, reasons);
  }
  if (fieldPath === '') return;
  const pathField = childPath(path, 'fieldPath');
  if (fieldPath.trim() === '') yield invalidField(pathField, fieldPath, 'must be non-empty if specified');
  if (hasNewline(fieldPath)) yield invalidField(pathField, fieldPath, 'must not contain line breaks');
  if (structuralProblem(schema) === undefined && !leadsSomewhere(schema, fieldPath)) {
    yield invalidField(pathField, fieldPath, 'must be a valid path');
  }
}

/** The first error of a rule and its message. */
function* textErrors(rule: string, message: string, path: string): Errors {
  const messagePath = childPath(path, 'message');
  const trimmed = message.trim();
  if (rule === '') yield requiredField(childPath(path, 'rule'), 'rule is not specified');
  else if (message !== '' && trimmed === '') yield invalidField(messagePath, message, 'must be non-empty if specified');
  else if (hasNewline(trimmed)) yield invalidField(messagePath, message, 'must not contain line breaks');
  else if (hasNewline(rule) && trimmed === '') {
    yield requiredField(messagePath, 'message must be specified if rule contains line breaks');
  }
}

function leadsSomewhere(schema: JsonSchema, path: string): boolean {
  try {
    resolveFieldPath(path, schema, { allowArrayNotation: true });
    return true;
  } catch (error) {
    if (error instanceof FieldPathError) return false;
    throw error;
  }
}

export interface SelectableLimits {
  readonly path: string;
  readonly max: number;
}

/** Fields of custom resources for field selectors. */
export function* selectableFields(
  fields: readonly extensions.SelectableField[],
  schema: JsonSchema | undefined,
  { path, max }: SelectableLimits,
): Errors {
  const paths = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const itemPath = childPath(keyPath(path, index), 'jsonPath');
    if (jsonPath === '') yield requiredField(itemPath);
    else yield* selectableField(jsonPath, { schema, path: itemPath, seen: paths });
  }
  if (paths.size > max) yield tooManyField(path, paths.size, max);
}

const selectableTypes = ['string', 'boolean', 'integer'];

interface SelectableScope {
  readonly schema: JsonSchema | undefined;
  readonly path: string;
  /** Preceding paths; this one is added. */
  readonly seen: Set<string>;
}

function* selectableField(jsonPath: string, { schema, path, seen }: SelectableScope): Errors {
  let found: ReturnType<typeof resolveFieldPath>;
  try {
    found = resolveFieldPath(jsonPath, schema ?? {}, { allowArrayNotation: false });
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    return yield invalidField(path, jsonPath, `is an invalid path: ${error.message}`);
  }
  if (found.root === 'metadata') yield invalidField(path, jsonPath, 'must not point to fields in metadata');
  if (!selectableTypes.includes(found.schema?.type ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    yield invalidField(path, jsonPath, detail);
  }
  if (seen.has(found.path)) yield duplicateField(path, jsonPath);
  seen.add(found.path);
}
