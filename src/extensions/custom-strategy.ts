import type { FieldError, FieldErrors } from '../api/field-error.ts';
import { hasAny, keptBack } from '../api/findings.ts';
import { goPrint } from '../api/go-print.ts';
import { goQuote } from '../api/go-quote.ts';
import { loadGoRegexp } from '../api/go-regexp.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { qualifiedNameErrors } from '../api/names.ts';
import type { KubernetesObject } from '../api/object.ts';
import { forbidden } from '../api/status-errors.ts';
import type { ScalePaths, SelectableFields, Strategy, WriteContext } from '../registry/strategy.ts';
import { validateChangedValue, validateValue } from '../schema/custom/validate-value.ts';
import type { Schema } from '../schema/schema.ts';
import type { DefinitionVersion } from './definition.ts';
import { embeddedObjects } from './embedded-objects.ts';
import { JsonPathError, parseJsonPath } from './json-path.ts';
import { noPath, readyForRules, withRules } from './instance-rules.ts';
import { listInvariants } from './list-invariants.ts';
import { specReplicas, statusScale } from './scale-values.ts';

/** A version of a definition, with its schema, which is compiled when it is first asked for. */
export interface CustomVersion {
  readonly name: string;
  readonly definition: DefinitionVersion;
  readonly schema: Schema;
}

export interface CustomKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Of the first version the objects are stored. */
  readonly versions: readonly CustomVersion[];
  /** Whether the definition is being deleted. */
  readonly isTerminating: () => boolean;
}

/** What kinds of definitions do on writes: the same for all of them. */
export function customStrategy(kind: CustomKind, stored: CustomVersion): Strategy {
  const scale = scalePaths(stored.definition);
  return {
    generation: 'object',
    requireResourceVersion: true,
    statusKeepsMetadata: true,
    ...(scale === undefined ? {} : { scale }),
    ...selectable(stored.definition),
    permitCreate({ metadata }, context) {
      if (!kind.isTerminating()) return readyForRules(versionOf(kind, context).schema);
      const why = 'create not allowed while custom resource definition is terminating';
      throw forbidden({ group: kind.group, resource: kind.plural }, metadata.name ?? '', why);
    },
    permitUpdate: (_, __, context) => readyForRules(versionOf(kind, context).schema),
    beginCreate: readyForPatterns,
    beginUpdate: readyForPatterns,
    validate: (object, context) => judged(viewOf(kind, object, context), undefined, objectErrors),
    validateUpdate: (object, old, context) =>
      judged(viewOf(kind, object, context), viewOf(kind, old, context).object, objectErrors),
    warnings: ({ metadata: { finalizers = [] } }) => finalizerWarnings(finalizers, []),
    updateWarnings: ({ metadata: { finalizers = [] } }, { metadata: old }) =>
      finalizerWarnings(finalizers, old.finalizers ?? []),
    subresources: {
      status: {
        permitUpdate: (_, __, context) => readyForRules(versionOf(kind, context).schema),
        validateUpdate: (object, old, context) =>
          judged(viewOf(kind, object, context), viewOf(kind, old, context).object, statusErrors),
      },
    },
  };
}

async function readyForPatterns(): Promise<undefined> {
  await loadGoRegexp();
}

/** An object in the version that it is judged in, with what that version says of it. */
interface View extends CustomVersion {
  readonly object: JsonObject;
}

/** Objects are judged in the version of the request. */
function versionOf({ versions }: Pick<CustomKind, 'versions'>, { requestVersion }: WriteContext): CustomVersion {
  const version = versions.find(({ name }) => name === requestVersion) ?? versions[0];
  if (version === undefined) throw new Error('a definition without versions');
  return version;
}

function viewOf({ group, versions }: CustomKind, object: Readonly<KubernetesObject>, context: WriteContext): View {
  const { name, definition, schema } = versionOf({ versions }, context);
  // Objects are JSON-shaped.
  const seen = { ...object, apiVersion: `${group}/${name}` } as unknown as JsonObject;
  return { name, definition, schema, object: seen };
}

/** Rules are asked after everything else. */
function judged<Old extends JsonObject | undefined>(
  view: View,
  old: Old,
  errorsOf: (view: View, old: Old) => FieldErrors,
): FieldErrors {
  return withRules(errorsOf(view, old), view, old);
}

function* objectErrors({ definition, schema, object }: View, old: JsonObject | undefined): FieldErrors {
  yield* valueErrors(schema, object, { path: '', old });
  const scale = scalePaths(definition);
  if (scale !== undefined) {
    yield* specReplicas(object, scale);
    yield* statusScale(object, scale);
  }
  yield* embeddedObjects(schema, object, '');
  if (old === undefined || !(yield* hasAny(listInvariants(schema, old, '')))) yield* listInvariants(schema, object, '');
}

function* statusErrors({ definition, schema, object }: View, old: JsonObject): FieldErrors {
  const { status } = object;
  const statusSchema = schema.structure?.fields.get('status')?.schema;
  if (status !== undefined && statusSchema !== undefined) {
    yield* valueErrors(statusSchema, status, { path: 'status', old: old['status'] });
  }
  const scale = scalePaths(definition);
  if (scale !== undefined) yield* statusScale(object, scale);
  const errors = yield* keptBack(listInvariants(schema, object, ''));
  if (errors.length > 0 && !(yield* hasAny(listInvariants(schema, old, '')))) yield* errors;
}

function valueErrors(
  schema: Schema,
  value: JsonValue,
  { path, old }: { readonly path: string; readonly old: JsonValue | undefined },
): FieldError[] {
  const errors =
    old === undefined ? validateValue(schema, value, path) : validateChangedValue(schema, { value, old }, path);
  return errors.map((error) => (error.field === '' ? { ...error, field: noPath } : error));
}

export function scalePaths({ subresources }: DefinitionVersion): ScalePaths | undefined {
  const { scale } = subresources ?? {};
  if (scale === undefined) return undefined;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  return {
    demandsReplicas: true,
    specReplicas: specReplicasPath,
    statusReplicas: statusReplicasPath,
    ...(labelSelectorPath === '' ? {} : { selector: labelSelectorPath }),
  };
}

function selectable({ selectableFields = [] }: DefinitionVersion): { selectableFields?: SelectableFields } {
  if (selectableFields.length === 0) return {};
  const rows = selectableFields.map(({ jsonPath = '' }) => [jsonPath.replace(/^\./, ''), reader(jsonPath)] as const);
  return { selectableFields: Object.fromEntries(rows) };
}

function reader(path: string): (object: Readonly<KubernetesObject>) => string {
  const find = parseJsonPath(path);
  return (object) => {
    try {
      // Objects are JSON-shaped.
      const [value = null] = find(object as unknown as JsonValue);
      return value === null ? '' : goPrint(value);
    } catch (error) {
      if (error instanceof JsonPathError) return '';
      throw error;
    }
  };
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Finalizers that have come and whose names are of nobody's domain. */
function finalizerWarnings(finalizers: readonly string[], old: readonly string[]): string[] {
  const fresh = [...new Set(finalizers)].filter((name) => !old.includes(name)).toSorted();
  return fresh.flatMap((name) => {
    const where = `metadata.finalizers: ${goQuote(name)}: `;
    const warnings = qualifiedNameErrors(name).map((problem) => `${where}${problem}`);
    if (name.includes('/') || standardFinalizers.has(name)) return warnings;
    const path = name.includes('.') ? ' including a path (/)' : '';
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    return [...warnings, `${where}${advice}`];
  });
}
