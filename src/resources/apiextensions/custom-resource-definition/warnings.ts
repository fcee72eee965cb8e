import { goQuote } from '../../../api/go-quote.ts';
import { type JsonSchema, schemaHas, schemaIn } from '../../../schema/custom/json-schema.ts';
import { isKnownFormat } from '../../../schema/custom/known-formats.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { definitionForm } from './definition-form.ts';

/** A schema and all its subschemas. */
function allSchemas(root: JsonSchema): JsonSchema[] {
  const found: JsonSchema[] = [];
  schemaHas(root, (schema) => {
    found.push(schema);
    return false;
  });
  return found;
}

/** Warns of unrecognized formats, and of sets of non-scalars. */
export function definitionWarnings({ spec = {} }: CustomResourceDefinition): string[] {
  const { validation, versions } = definitionForm(spec);
  const roots = [validation, ...versions.map(({ schema }) => schema)].flatMap((value) => value?.openAPIV3Schema ?? []);
  const schemas = roots.flatMap(allSchemas);
  const unknown = schemas.filter(({ format = '', type = '' }) => format !== '' && !isKnownFormat(type, format));
  const sets = schemas.flatMap((schema) => {
    const type = schema['x-kubernetes-list-type'] === 'set' ? schemaIn(schema.items)?.type : undefined;
    return type === 'object' || type === 'array' ? [type] : [];
  });
  return [
    ...unknown.map(({ format = '' }) => `unrecognized format ${goQuote(format)}`),
    ...[...new Set(sets)]
      .toSorted()
      .map(
        (type) =>
          `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`,
      ),
  ];
}

/** Only warnings that the update introduces. */
export function definitionUpdateWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): string[] {
  const before = new Set(definitionWarnings(old));
  return definitionWarnings(definition).filter((text) => !before.has(text));
}
