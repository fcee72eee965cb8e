import { goQuote } from '../../../api/go-quote.ts';
import { getOwn } from '../../../api/json.ts';
import { type JsonSchema, schemaHas, schemaIn } from '../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { definitionForm } from './definition-form.ts';

/** String formats that are validated, without dashes. */
const textFormats: ReadonlySet<string> = new Set([
  ...['bsonobjectid', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uuid', 'uuid3', 'uuid4', 'uuid5'],
  ...['isbn', 'isbn10', 'isbn13', 'creditcard', 'ssn', 'hexcolor', 'rgbcolor', 'byte', 'password', 'date', 'duration'],
  ...['datetime', 'k8sshortname', 'k8slongname'],
]);

/** Recognized formats by type. */
const formats: { readonly [type: string]: ReadonlySet<string> } = {
  '': textFormats,
  string: textFormats,
  integer: new Set(['int32', 'int64']),
  number: new Set(['float', 'double']),
};

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
  const unknown = schemas.filter(({ format = '', type = '' }) => {
    const written = type === '' || type === 'string' ? format.replaceAll('-', '') : format;
    return format !== '' && getOwn(formats, type)?.has(written) !== true;
  });
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
