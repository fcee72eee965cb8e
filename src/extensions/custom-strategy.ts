import type { FieldError, FieldErrors } from '../api/errors/field-error.ts';
import { hasAny, allOf } from '../api/errors/findings.ts';
import { goPrint } from '../api/json/go-print.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { loadGoRegexp } from '../api/go/go-regexp.ts';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { qualifiedNameErrors } from '../api/meta/names.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { forbidden } from '../api/errors/status-errors.ts';
import type { ScalePaths, Strategy } from '../registry/kinds/strategy.ts';
import { applyDefaults } from '../schema/default.ts';
import { validateChangedValue, validateValue } from '../schema/custom/validate-value.ts';
import type { Schema } from '../schema/schema.ts';
import type { CustomKind, CustomVersion } from './custom-kind.ts';
import type { DefinitionVersion } from './definition.ts';
import { embeddedObjects } from './embedded-objects.ts';
import { evaluateRules, noPath, readyForRules, withRules } from './instance-rules.ts';
import { JsonPathError, parseJsonPath } from './json-path.ts';
import { listInvariants } from './list-invariants.ts';
import { specReplicas, statusScale, unreadableScale } from './scale-values.ts';

/** An object with the schema of its version. */
interface View extends Pick<CustomVersion, 'definition' | 'schema'> {
  readonly object: JsonObject;
}

/** The registry strategy of custom resources, the same for every kind, for requests in the version `seen`. */
export function customStrategy(kind: CustomKind, seen: CustomVersion): Strategy {
  const ready = async (): Promise<void> => {
    await Promise.all([loadGoRegexp(), readyForRules(seen.schema, kind.times)]);
  };
  const viewOf = (object: Readonly<KubernetesObject>): View => {
    const { definition, schema } = seen;
    return { definition, schema, object };
  };
  return {
    generation: 'object',
    requireResourceVersion: true,
    revalidatesMetadata: 'once',
    tellsRepetitions: true,
    statusKeepsMetadata: 'all',
    scaleIn: (version) => scaleOfVersion(kind, version),
    ...selectable(kind),
    permitCreate({ metadata }) {
      if (!kind.isTerminating()) return ready();
      const why = 'create not allowed while custom resource definition is terminating';
      throw forbidden({ group: kind.group, resource: kind.plural }, metadata.name ?? '', why);
    },
    permitUpdate: ready,
    setsStatusApart: (version) => versionOf(kind, version, seen).definition.subresources?.status !== undefined,
    prepareForCreate: (object) => presetStatus(object, seen),
    prepareValidation: (object, old) => evaluateRules(objectErrors, viewOf(object), old),
    validate: (object, _, earlier) => withRules(objectErrors, viewOf(object), { old: undefined, earlier }),
    validateUpdate: (object, old, _, earlier) => withRules(objectErrors, viewOf(object), { old, earlier }),
    warnings: ({ metadata: { finalizers = [] } }) => finalizerWarnings(finalizers, []),
    updateWarnings: ({ metadata: { finalizers = [] } }, { metadata: old }) =>
      finalizerWarnings(finalizers, old.finalizers ?? []),
    subresources: {
      status: {
        permitUpdate: ready,
        // All metadata stay as they were, whatever the client has sent.
        prepareForUpdate({ metadata }, { metadata: { uid } }) {
          if (uid !== undefined) metadata.uid = uid;
        },
        // Only updates are of a status.
        prepareValidation: (object, old) =>
          old === undefined ? undefined : evaluateRules(statusErrors, viewOf(object), old),
        validateUpdate: (object, old, _, earlier) => withRules(statusErrors, viewOf(object), { old, earlier }),
      },
    },
  };
}

/** A version that no longer exists falls back to the one of the request. */
function versionOf({ versions }: CustomKind, name: string, seen: CustomVersion): CustomVersion {
  return versions.find((version) => version.name === name) ?? seen;
}

/** A create cannot set the status, but a status with a default in the schema is present from the start. */
function presetStatus(object: KubernetesObject, { schema }: CustomVersion): void {
  const preset = schema.structure?.fields.get('status')?.schema.default;
  if (object['status'] === undefined && preset !== undefined) applyDefaults(schema, object, {});
}

function* objectErrors({ definition, schema, object }: View, old: JsonObject | undefined): FieldErrors {
  yield* valueErrors(schema, object, { path: '', old });
  const scale = scalePaths(definition);
  if (scale !== undefined) {
    yield* specReplicas(object, scale);
    yield* statusScale(object, scale);
  }
  yield* embeddedObjects(schema, object, '');
  if (old === undefined || !hasAny(listInvariants(schema, old, ''))) yield* listInvariants(schema, object, '');
}

function* statusErrors({ definition, schema, object }: View, old: JsonObject): FieldErrors {
  const { status } = object;
  const statusSchema = schema.structure?.fields.get('status')?.schema;
  if (status !== undefined && statusSchema !== undefined) {
    yield* valueErrors(statusSchema, status, { path: 'status', old: old['status'] });
  }
  const scale = scalePaths(definition);
  if (scale !== undefined) yield* statusScale(object, scale);
  const errors = allOf(listInvariants(schema, object, ''));
  if (errors.length > 0 && !hasAny(listInvariants(schema, old, ''))) yield* errors;
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

function scaleOfVersion({ versions }: CustomKind, name: string): ScalePaths | undefined {
  const version = versions.find((each) => each.name === name);
  return version === undefined ? undefined : scalePaths(version.definition);
}

export function scalePaths({ subresources }: DefinitionVersion): ScalePaths | undefined {
  const { scale } = subresources ?? {};
  if (scale === undefined) return undefined;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  const paths: ScalePaths = {
    requiresReplicas: true,
    specReplicas: specReplicasPath,
    statusReplicas: statusReplicasPath,
    ...(labelSelectorPath === '' ? {} : { selector: labelSelectorPath }),
  };
  return { ...paths, problemIn: (object) => unreadableScale(object, paths) };
}

/** Fields are read of what is stored, whichever version they are selectable in. */
function selectable({ versions, namespaced }: CustomKind): Partial<Strategy> {
  const paths = new Map(versions.map(({ name, definition }) => [name, selectablePaths(definition)]));
  const all = new Set([...paths.values()].flat());
  return {
    selectableFields: Object.fromEntries([...all].map((path) => [fieldName(path), reader(path)])),
    ...([...all].every((path) => ofNames.test(path)) ? { selectedMembers: [...all].map(fieldName) } : {}),
    selectableField: (name, { version }) =>
      paths.get(version)?.some((path) => fieldName(path) === name) === true ? name : undefined,
    ...(namespaced ? {} : { selectableMetadata: 'name' }),
  };
}

/** Other paths may look at more of an object than their first names. */
const ofNames = /^(?:\.[A-Za-z_][A-Za-z0-9_-]*)+$/;

export function selectablePaths({ selectableFields = [] }: DefinitionVersion): readonly string[] {
  return selectableFields.map(({ jsonPath = '' }) => jsonPath);
}

/** `.spec.color` is selected as `spec.color`. */
export function fieldName(path: string): string {
  return path.replace(/^\./, '');
}

function reader(path: string): (object: Readonly<KubernetesObject>) => string {
  const find = parseJsonPath(path);
  return (object) => {
    try {
      // Objects are JSON-shaped.
      const [value = null] = find(object);
      return value === null ? '' : goPrint(value);
    } catch (error) {
      if (error instanceof JsonPathError) return '';
      throw error;
    }
  };
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Warnings for added finalizers whose names are not domain-qualified. */
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
