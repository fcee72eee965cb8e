import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../../api/errors/field-error.ts';
import { allOf, hasAny, through } from '../../../../api/errors/findings.ts';
import { isDeeperThan, type JsonSchema, schemaHas } from '../../../../schema/custom/json-schema.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { firstByName } from '../../../parts/rules/repetitions.ts';
import { each, type Errors, immutable, isEmpty } from '../../../parts/rules/rules.ts';
import { sameValue } from '../../../parts/rules/same-value.ts';
import { type DefinitionForm, definitionForm } from '../definition-form.ts';
import { ruleValidatorOf } from '../rule-validators.ts';
import type { RuleValidator } from '../rule-validator.ts';
import { apiApproval } from './api-approval.ts';
import { authorities, conversion, type ConversionLeniency, hasKnownVersion } from './conversion.ts';
import { definitionGroup, definitionNames, label, requiredNames } from './names.ts';
import {
  allRequirements,
  requirementsMetBy,
  mustBeStructural,
  type SchemaRequirements,
  schemasOf,
} from './schema-requirements.ts';
import { selectableFields, type SelectableLimits } from './schema-rules.ts';
import { definitionSchema, type SchemaContext } from './schemas.ts';
import { shownVersions } from './shown-schemas.ts';
import { structuralProblem } from '../../../../schema/custom/structural-schemas.ts';
import { deprecation, printerColumn, subresources } from './versions.ts';
import { shownField } from '../../../parts/rules/set-fields.ts';

type Definition = extensions.CustomResourceDefinition;
type Spec = extensions.CustomResourceDefinitionSpec;

export function* definition(object: Definition): Errors {
  const { metadata, spec = {}, status } = object;
  if (yield* through(depthErrors(spec))) return;
  // A new definition may have any bundle: nothing uses it yet.
  yield* specErrors(spec, {
    anyReviewVersion: false,
    anyCaBundle: true,
    requirements: allRequirements,
    rules: ruleValidatorOf(object),
  });
  yield* statusErrors(status);
  yield* storedVersions(status, spec);
  yield* apiApproval(spec.group ?? '', metadata);
  yield* preserving(spec);
}

export function* definitionUpdate(object: Definition, old: Definition): Errors {
  const { metadata, spec = {}, status } = object;
  const { spec: oldSpec = {} } = old;
  if (yield* through(depthErrors(spec, oldSpec))) return;
  const rules = ruleValidatorOf(object);
  // Most updates pass all the checks for a new definition.
  const strict = specErrors(spec, { ...conversionLeniency(old), requirements: allRequirements, rules });
  if (hasAny(strict)) yield* specErrors(spec, { ...leniencyFor(old), rules });
  if (isEstablished(old)) {
    yield* immutable(spec.scope ?? '', oldSpec.scope ?? '', 'spec.scope');
    yield* immutable(spec.names?.kind ?? '', oldSpec.names?.kind ?? '', 'spec.names.kind');
  }
  yield* immutable(spec.group ?? '', oldSpec.group ?? '', 'spec.group');
  yield* immutable(spec.names?.plural ?? '', oldSpec.names?.plural ?? '', 'spec.names.plural');
  yield* statusErrors(status);
  yield* storedVersions(status, spec);
  yield* apiApproval(spec.group ?? '', metadata, old.metadata ?? {});
  if (oldSpec.preserveUnknownFields !== true) yield* preserving(spec);
}

export function definitionStatus({ status }: Definition): Errors {
  return statusErrors(status);
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') === true;
}

/** Many walk schemas by recursion, and all of them can so far. The reference has a deeper stack and no such limit. */
const maxSchemaLevels = 512;

function* depthErrors({ versions = [] }: Spec, old: Spec = {}): Errors {
  for (const [index, { name, schema }] of versions.entries()) {
    const before = old.versions?.find((version) => version.name === name)?.schema?.openAPIV3Schema;
    const after = schema?.openAPIV3Schema;
    if (after === undefined || !isDeeperThan(after, maxSchemaLevels)) continue;
    if (before !== undefined && isDeeperThan(before, maxSchemaLevels)) continue;
    const detail = `must not have more than ${maxSchemaLevels} levels`;
    yield forbiddenField(`spec.versions[${index}].schema.openAPIV3Schema`, detail);
  }
}

/** What an update does not ask because the stored definition would not answer it. */
interface Leniency extends ConversionLeniency {
  readonly requirements: SchemaRequirements;
  readonly old?: Spec;
  /** Rule checks keep track of stored rules themselves. */
  readonly rules: RuleValidator | undefined;
}

function leniencyFor(old: Definition): Omit<Leniency, 'rules'> {
  const { spec = {} } = old;
  return { ...conversionLeniency(old), requirements: requirementsMetBy(definitionForm(spec)), old: spec };
}

function conversionLeniency(old: Definition): ConversionLeniency {
  const { spec = {} } = old;
  const { conversionReviewVersions: versions = [], clientConfig } = spec.conversion?.webhook ?? {};
  const bundle = clientConfig?.caBundle ?? '';
  return {
    anyReviewVersion: versions.length > 0 && !hasKnownVersion(versions),
    anyCaBundle: !isEstablished(old) || (bundle !== '' && allOf(authorities(bundle, '')).length > 0),
  };
}

/** A definition and the checks that apply to it. */
interface ValidationContext {
  readonly spec: Spec;
  readonly form: DefinitionForm;
  readonly requirements: SchemaRequirements;
  readonly rules: RuleValidator | undefined;
  readonly old: DefinitionForm | undefined;
}

function* specErrors(spec: Spec, leniency: Leniency): Errors {
  const { group = '', scope = '', names = {}, preserveUnknownFields: preserves = false } = spec;
  const form = definitionForm(spec);
  const structural = leniency.requirements.structural || mustBeStructural(form, preserves);
  const requested: ValidationContext = {
    spec,
    form,
    requirements: { ...leniency.requirements, structural },
    rules: leniency.rules,
    old: leniency.old === undefined ? undefined : definitionForm(leniency.old),
  };
  yield* definitionGroup(group, 'spec.group');
  const scopes = ['Cluster', 'Namespaced'];
  if (scope === '') yield requiredField('spec.scope');
  else if (!scopes.includes(scope)) yield notSupportedField('spec.scope', scope, scopes);
  yield* schemasGiven(requested, preserves);
  if (preserves && schemasOf(form).some((schema) => schemaHas(schema, (part) => part.default !== undefined))) {
    yield invalidField('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema');
  }
  yield* versionErrors(requested);
  yield* requiredNames(names, 'spec.names');
  yield* definitionNames(names, 'spec.names');
  yield* commonErrors(requested);
  const { conversion: converter } = spec;
  if (converter === undefined) return;
  if (preserves && converter.strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    yield invalidField('spec.conversion.strategy', converter.strategy ?? '', detail);
  }
  yield* conversion(converter, 'spec.conversion', leniency);
}

/**
 * Every version must have a schema, its own or the shared one; if not demanded everywhere, only served versions that
 * prune.
 */
function* schemasGiven(
  { form: { validation, versions }, requirements }: ValidationContext,
  preserves: boolean,
): Errors {
  if (validation?.openAPIV3Schema !== undefined || (!requirements.everywhere && preserves)) return;
  for (const [index, { schema, served }] of versions.entries()) {
    if (schema?.openAPIV3Schema !== undefined || (!requirements.everywhere && served !== true)) continue;
    const detail = requirements.everywhere ? '' : 'because otherwise all fields are pruned';
    yield requiredField(`spec.versions[${index}].schema.openAPIV3Schema`, detail);
  }
}

function* versionErrors(requested: ValidationContext): Errors {
  const { form } = requested;
  const { versions } = form;
  const perVersion = versions.some((version) => version.subresources !== undefined);
  const before = firstByName(requested.old?.versions ?? []);
  for (const [index, version] of versions.entries()) {
    const path = keyPath('spec.versions', index);
    yield* label(version.name ?? '', childPath(path, 'name'));
    const { status } = (perVersion ? version.subresources : form.subresources) ?? {};
    const { requirements, rules } = requested;
    const { name = '' } = version;
    const old = before.get(name)?.selectableFields;
    yield* ownErrors(version, { path, hasStatus: status !== undefined, requirements, rules, version: name, old });
  }
  const names = versions.map(({ name }) => name);
  const wrong: [boolean, string][] = [
    [new Set(names).size < names.length, 'must contain unique version names'],
    [
      versions.filter(({ storage }) => storage === true).length !== 1,
      'must have exactly one version marked as storage version',
    ],
  ];
  for (const [isWrong, detail] of wrong)
    if (isWrong)
      yield invalidField('spec.versions', shownVersions(versions, shownField(requested.spec, 'versions')), detail);
  const [first] = versions;
  if (!isEmpty(first?.name)) yield* label(first?.name ?? '', 'spec.version');
}

interface OwnScope extends SchemaContext {
  readonly path: string;
  /** Selectable fields of the stored definition. */
  readonly old: readonly extensions.SelectableField[] | undefined;
}

/** The maximum number of selectable fields; an unchanged list may be longer. */
function maxSelectable(fields: readonly extensions.SelectableField[], old: OwnScope['old']): number {
  return old !== undefined && sameValue(fields, old) ? Math.max(8, fields.length) : 8;
}

/** Errors of what a version declares itself. */
function* ownErrors(version: extensions.CustomResourceDefinitionVersion, scope: OwnScope): Errors {
  const { path } = scope;
  yield* deprecation(version, path);
  if (version.schema !== undefined) yield* definitionSchema(version.schema, childPath(path, 'schema'), scope);
  if (version.subresources !== undefined) yield* subresources(version.subresources, childPath(path, 'subresources'));
  yield* each(printerColumn)(version.additionalPrinterColumns, childPath(path, 'additionalPrinterColumns'));
  const { selectableFields: fields = [], schema } = version;
  if (fields.length === 0) return;
  const fieldsPath = childPath(path, 'selectableFields');
  if (schema?.openAPIV3Schema === undefined) {
    const detail = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    yield invalidField(fieldsPath, '', detail);
  } else {
    const limits = { path: fieldsPath, max: maxSelectable(fields, scope.old) };
    yield* selectableIn(schema.openAPIV3Schema, fields, { ...limits, schemaPath: `${path}.schema.openAPIV3Schema` });
  }
}

/** Errors of what all versions share. */
function* commonErrors({ form, requirements, rules, old }: ValidationContext): Errors {
  const { validation, subresources: common, additionalPrinterColumns: columns, selectableFields: fields } = form;
  const hasStatus = [common, ...form.versions.map((version) => version.subresources)].some(
    (value) => value?.status !== undefined,
  );
  if (validation !== undefined) {
    const version = form.versions[0]?.name ?? '';
    yield* definitionSchema(validation, 'spec.validation', { hasStatus, requirements, rules, version });
  }
  if (common !== undefined) yield* subresources(common, 'spec.subresources');
  yield* each(printerColumn)(columns, 'spec.additionalPrinterColumns');
  if (fields.length === 0) return;
  if (validation === undefined) {
    yield invalidField('spec.selectableFields', '', 'may only be set when validations.schema is included');
  } else {
    const limits = { path: 'spec.selectableFields', max: maxSelectable(fields, old?.selectableFields) };
    yield* selectableIn(validation.openAPIV3Schema ?? {}, fields, {
      ...limits,
      schemaPath: 'spec.schema.openAPIV3Schema',
    });
  }
}

/** Selectable fields need a structural schema. */
function* selectableIn(
  schema: JsonSchema,
  fields: readonly extensions.SelectableField[],
  limits: SelectableLimits & { readonly schemaPath: string },
): Errors {
  const problem = structuralProblem(schema);
  if (problem !== undefined) yield invalidField(limits.schemaPath, '', problem);
  yield* selectableFields(fields, problem === undefined ? schema : {}, limits);
}

function statusErrors(status: extensions.CustomResourceDefinitionStatus = {}): Errors {
  return definitionNames(status.acceptedNames ?? {}, 'status.acceptedNames');
}

function* storedVersions(status: extensions.CustomResourceDefinitionStatus = {}, { versions = [] }: Spec): Errors {
  const path = 'status.storedVersions';
  const { storedVersions: stored = [] } = status;
  if (stored.length === 0) {
    return yield invalidField(path, shownField(status, 'storedVersions'), 'must have at least one stored version');
  }
  const left = new Set(stored);
  for (const { name = '', storage } of versions) {
    if (storage === true && !left.has(name)) {
      yield invalidField(path, [...stored], `must have the storage version ${name}`);
    }
    left.delete(name);
  }
  const lastIndexes = new Map(stored.map((name, index) => [name, index]));
  for (const name of left) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    yield invalidField(keyPath(path, lastIndexes.get(name) ?? 0), name, detail);
  }
}

function* preserving({ preserveUnknownFields }: Spec): Errors {
  if (preserveUnknownFields !== true) return;
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  yield invalidField('spec.preserveUnknownFields', true, detail);
}
