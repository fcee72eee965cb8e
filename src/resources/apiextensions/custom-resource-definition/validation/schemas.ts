import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
} from '../../../../api/errors/field-error.ts';
import { through } from '../../../../api/errors/findings.ts';
import { isPlain, type JsonSchema, schemaIn, schemasIn } from '../../../../schema/custom/json-schema.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { fieldsOf } from '../../../parts/rules/internal-value.ts';
import type { Errors } from '../../../parts/rules/rules.ts';
import type { RuleValidator } from '../rule-validator.ts';
import { defaultErrors } from './schema-defaults.ts';
import type { SchemaRequirements } from './schema-requirements.ts';
import { hasExtensions, schemaExtensions, schemaTypes } from './schema-extensions.ts';
import { schemaRules } from './schema-rules.ts';
import { shownSchema } from './shown-schemas.ts';
import { structuralErrors, structuralProblem } from '../../../../schema/custom/structural-schemas.ts';
import { isSet } from '../../../parts/rules/set-fields.ts';

export interface SchemaContext {
  /** With a status subresource, few fields besides properties are allowed at the root of the schema. */
  readonly hasStatus: boolean;
  readonly requirements: SchemaRequirements;
  /** Undefined if there are no rules. */
  readonly rules: RuleValidator | undefined;
  /** The version of the schema, or the first of those that share it. */
  readonly version: string;
}

/** The schema of a custom resource. */
export function* definitionSchema(
  { openAPIV3Schema: schema }: extensions.CustomResourceValidation,
  path: string,
  { hasStatus, requirements, rules, version }: SchemaContext,
): Errors {
  if (schema === undefined) return;
  const schemaPath = childPath(path, 'openAPIV3Schema');
  const problem = requirements.structural ? structuralProblem(schema) : undefined;
  const hasErrors = yield* through(
    (function* () {
      if (hasStatus) yield* rootErrors(schema, path);
      if (schema.nullable === true) {
        yield forbiddenField(childPath(path, 'openAPIV3Schema.nullable'), 'nullable cannot be true at the root');
      }
      let isSound = requirements.structural && problem === undefined;
      if (isSound) isSound = !(yield* through(structuralErrors(schema, schemaPath)));
      if (isSound) {
        const { prunedDefaults } = requirements;
        isSound = !(yield* through(defaultErrors(schema, schemaPath, { prunedDefaults, rules: rules?.defaults() })));
      }
      const faults = new Faults();
      yield* faults.counted(openApiErrors(schema, schemaPath, { ...rootScope, requirements, faults }));
      if (!isSound || rules === undefined) return;
      yield* rules.schemaErrors(schema, schemaPath, { version, faulty: faults.schemas });
    })(),
  );
  // Most reasons why a schema is not structural were reported above.
  if (!hasErrors && problem !== undefined) yield invalidField(schemaPath, '', problem);
}

/** Collects the schemas with errors at or below them. */
class Faults {
  readonly schemas = new Set<JsonSchema>();
  #count = 0;

  /** Counts errors as they are consumed, that is, before the next one is searched. */
  *counted(errors: Errors): Errors {
    for (const error of errors) {
      this.#count += 1;
      yield error;
    }
  }

  /** Errors of a schema, including those below it. */
  *of(schema: JsonSchema, errors: Errors): Errors {
    const before = this.#count;
    yield* errors;
    if (this.#count > before) this.schemas.add(schema);
  }
}

const allowedAtRoot = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** Fields in the order of the reference's struct: the first invalid one is reported. */
function* rootErrors(schema: JsonSchema, path: string): Errors {
  for (const { goName: field, jsonName } of fieldsOf('apiextensions.JSONSchemaProps')) {
    // Go and JSON names of JSONSchemaProps.
    const value = schema[jsonName as keyof JsonSchema];
    if (value === undefined || value === '' || value === false) continue;
    if (field === 'Type') {
      if (value === 'object') continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return yield invalidField(childPath(path, 'openAPIV3Schema.type'), schema.type, detail);
    }
    if (allowedAtRoot.includes(field)) continue;
    const detail = `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return yield invalidField(childPath(path, 'openAPIV3Schema'), shownSchema(schema), detail);
  }
}

/** The rules for a schema that depend on its position. */
interface Scope {
  readonly isRoot: boolean;
  /** Within an object's metadata. */
  readonly inMetadata: boolean;
  /** Why defaults are not allowed; undefined if they are. */
  readonly noDefaults: string | undefined;
  readonly requirements: SchemaRequirements;
  readonly faults: Faults;
}

const rootScope: Omit<Scope, 'requirements' | 'faults'> = { isRoot: true, inMetadata: false, noDefaults: undefined };
const metadataFields: readonly string[] = ['metadata', 'kind', 'apiVersion'];

function openApiErrors(schema: JsonSchema, path: string, scope: Scope): Errors {
  return scope.faults.of(schema, errorsOf(schema, path, scope));
}

function* errorsOf(schema: JsonSchema, path: string, scope: Scope): Errors {
  yield* unsupportedErrors(schema, path, scope);
  const { properties = {}, not, definitions, dependencies } = schema;
  const inner: Scope = scope.isRoot ? { ...scope, isRoot: false } : scope;
  if (schema.additionalProperties !== undefined) yield* mapErrors(schema, path, inner);
  for (const name of Object.keys(properties)) {
    const property = properties[name] ?? {};
    if (isPlain(property)) continue;
    yield* openApiErrors(property, `${path}.properties[${name}]`, propertyScope(schema, name, scope));
  }
  if (not !== undefined) yield* openApiErrors(not, childPath(path, 'not'), inner);
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, part] of schema[name]?.entries() ?? []) {
      yield* openApiErrors(part, keyPath(childPath(path, name), index), inner);
    }
  }
  for (const [name, part] of Object.entries(definitions ?? {})) {
    yield* openApiErrors(part, keyPath(childPath(path, 'definitions'), name), inner);
  }
  if (schema.items !== undefined) yield* itemErrors(schema, path, inner);
  for (const [name, union] of Object.entries(dependencies ?? {})) {
    const part = schemaIn(union);
    if (part !== undefined) yield* openApiErrors(part, keyPath(childPath(path, 'dependencies'), name), inner);
  }
  if (hasExtensions(schema)) yield* schemaExtensions(schema, path, scope.requirements);
  if (schema['x-kubernetes-validations'] !== undefined) yield* schemaRules(schema, path);
}

function* mapErrors({ additionalProperties: union, properties = {} }: JsonSchema, path: string, scope: Scope): Errors {
  if (union === undefined) return;
  const mapPath = childPath(path, 'additionalProperties');
  if (Object.keys(properties).length > 0 && union !== true) {
    yield forbiddenField(mapPath, 'additionalProperties and properties are mutual exclusive');
  }
  const schema = schemaIn(union);
  if (schema === undefined) return;
  const noDefaults = scope.inMetadata ? 'inside additionalProperties applying to object metadata' : scope.noDefaults;
  yield* openApiErrors(schema, mapPath, { ...scope, noDefaults });
}

function propertyScope(schema: JsonSchema, name: string, scope: Scope): Scope {
  const isMeta = (scope.isRoot || schema['x-kubernetes-embedded-resource'] === true) && metadataFields.includes(name);
  if (!isMeta && !scope.isRoot) return scope;
  return {
    ...scope,
    isRoot: false,
    inMetadata: scope.inMetadata || isMeta,
    noDefaults: isMeta && scope.isRoot ? `in top-level ${name}` : scope.noDefaults,
  };
}

function* itemErrors({ items }: JsonSchema, path: string, scope: Scope): Errors {
  const itemsPath = childPath(path, 'items');
  const schema = schemaIn(items);
  if (schema !== undefined) yield* openApiErrors(schema, itemsPath, scope);
  for (const [index, part] of schemasIn(items).entries()) {
    yield* openApiErrors(part, keyPath(itemsPath, index), scope);
  }
}

/** JSON Schema features that custom resources do not support. */
/** Fields that count although they hold nothing. */
const countsEmpty: readonly string[] = ['additionalItems', 'dependencies'];

function* unsupportedErrors(schema: JsonSchema, path: string, { inMetadata, noDefaults, requirements }: Scope): Errors {
  const { type = '', items } = schema;
  if (requirements.knownTypes && type !== '' && !schemaTypes.includes(type)) {
    yield notSupportedField(childPath(path, 'type'), type, schemaTypes);
  }
  if (schema.default !== undefined && noDefaults !== undefined) {
    yield forbiddenField(childPath(path, 'default'), `must not be set ${noDefaults}`);
  }
  for (const name of ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const) {
    const isThere = countsEmpty.includes(name) ? isSet(schema, name) : isGiven(schema[name]);
    if (isThere) yield forbiddenField(childPath(path, name), `${name} is not supported`);
  }
  if (type === 'null') {
    yield forbiddenField(childPath(path, 'type'), 'type cannot be set to null, use nullable as an alternative');
  }
  if (schemasIn(items).length > 0) {
    yield forbiddenField(childPath(path, 'items'), 'items must be a schema object and not an array');
  }
  if (inMetadata && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    yield forbiddenField(childPath(path, 'x-kubernetes-embedded-resource'), detail);
  }
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    yield forbiddenField(childPath(path, 'uniqueItems'), detail);
  }
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
