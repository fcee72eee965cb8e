import { allOf } from '../../../../api/errors/findings.ts';
import { type JsonSchema, schemaHas } from '../../../../schema/custom/json-schema.ts';
import { hasUnknownFields } from '../../../../schema/custom/unknown-fields.ts';
import type { DefinitionForm } from '../definition-form.ts';
import { itemsOfMaps, itemsOfSets, schemaTypes } from './schema-extensions.ts';
import { structuralProblem, structuralErrors } from '../../../../schema/custom/structural-schemas.ts';

/**
 * Checks on the schemas of a definition. An update skips those that the stored definition already fails: older
 * releases were less strict.
 */
export interface SchemaRequirements {
  /** Every version must have a schema. */
  readonly everywhere: boolean;
  readonly structural: boolean;
  readonly knownTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSetItems: boolean;
  /** Items of sets and map lists, and the keys of map lists, must not be nullable or absent. */
  readonly presentKeys: boolean;
}

export const allRequirements: SchemaRequirements = {
  everywhere: true,
  structural: true,
  knownTypes: true,
  prunedDefaults: true,
  atomicSetItems: true,
  presentKeys: true,
};

/** Definitions that prune, have defaults or use Kubernetes extensions must be structural, whatever they were. */
export function mustBeStructural(form: DefinitionForm, preservesUnknownFields: boolean): boolean {
  return !preservesUnknownFields || schemasOf(form).some((schema) => schemaHas(schema, hasStructuralNeed));
}

function hasStructuralNeed(schema: JsonSchema): boolean {
  return (
    schema.default !== undefined ||
    schema['x-kubernetes-embedded-resource'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] !== undefined ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-list-type'] !== undefined ||
    (schema['x-kubernetes-list-map-keys'] ?? []).length > 0 ||
    (schema['x-kubernetes-validations'] ?? []).length > 0
  );
}

export function schemasOf({ validation, versions }: DefinitionForm): JsonSchema[] {
  return [validation, ...versions.map(({ schema }) => schema)].flatMap((value) => value?.openAPIV3Schema ?? []);
}

/** The checks that a stored definition passes. */
export function requirementsMetBy(form: DefinitionForm): SchemaRequirements {
  const schemas = schemasOf(form);
  const noneHas = (fails: (schema: JsonSchema) => boolean): boolean =>
    !schemas.some((schema) => schemaHas(schema, fails));
  return {
    everywhere:
      form.validation?.openAPIV3Schema !== undefined ||
      form.versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    structural: schemas.every(
      (schema) => structuralProblem(schema) === undefined && allOf(structuralErrors(schema, '')).length === 0,
    ),
    knownTypes: noneHas(({ type = '' }) => type !== '' && !schemaTypes.includes(type)),
    prunedDefaults: noneHas((schema) => schema.default !== undefined && hasUnknownFields(schema.default, schema)),
    atomicSetItems: noneHas((schema) => allOf(itemsOfSets(schema, '')).length > 0),
    presentKeys: noneHas((schema) => allOf(itemsOfMaps(schema, '')).length > 0),
  };
}
