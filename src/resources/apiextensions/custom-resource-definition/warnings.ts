import { goQuote } from '../../../api/go/go-quote.ts';
import { everySchema, schemaIn } from '../../../schema/custom/json-schema.ts';
import { isKnownFormat } from '../../../schema/custom/known-formats.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { definitionForm } from './definition-form.ts';

/** Warns of unrecognized formats, and of sets of non-scalars. */
export function* definitionWarnings({ spec = {} }: CustomResourceDefinition): Generator<string> {
  const { validation, versions } = definitionForm(spec);
  const sets = new Set<string>();
  for (const holder of [validation, ...versions.map(({ schema }) => schema)]) {
    for (const schema of holder?.openAPIV3Schema === undefined ? [] : everySchema(holder.openAPIV3Schema)) {
      const { format = '', type = '' } = schema;
      if (format !== '' && !isKnownFormat(type, format)) yield `unrecognized format ${goQuote(format)}`;
      const item = schema['x-kubernetes-list-type'] === 'set' ? schemaIn(schema.items)?.type : undefined;
      if (item === 'object' || item === 'array') sets.add(item);
    }
  }
  for (const type of [...sets].toSorted()) {
    yield `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`;
  }
}

/** Only warnings that the update introduces. */
export function* definitionUpdateWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): Generator<string> {
  const before = new Set(definitionWarnings(old));
  for (const text of definitionWarnings(definition)) if (!before.has(text)) yield text;
}
