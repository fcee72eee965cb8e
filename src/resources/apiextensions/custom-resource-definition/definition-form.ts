import type * as extensions from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

type Version = extensions.CustomResourceDefinitionVersion;
type PerVersion = Pick<Version, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;

/**
 * A definition as the reference validates it: what all versions share is at the top level, and errors name it there.
 *
 * | same in all versions | moves to |
 * |---|---|
 * | `versions[*].schema` | `validation` |
 * | `versions[*].subresources`, `additionalPrinterColumns`, `selectableFields` | fields of the same name |
 */
export interface DefinitionForm {
  readonly versions: readonly Version[];
  readonly validation: extensions.CustomResourceValidation | undefined;
  readonly subresources: extensions.CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns: readonly extensions.CustomResourceColumnDefinition[];
  readonly selectableFields: readonly extensions.SelectableField[];
}

export function definitionForm({ versions = [] }: extensions.CustomResourceDefinitionSpec): DefinitionForm {
  const [first = {}] = versions;
  const common = <K extends keyof PerVersion>(name: K): PerVersion[K] | undefined =>
    versions.every((version) => sameValue(version[name], first[name])) ? first[name] : undefined;
  const validation = common('schema');
  const subresources = common('subresources');
  const columns = common('additionalPrinterColumns');
  const selectable = common('selectableFields');
  return {
    versions: versions.map((version) => {
      const own = { ...version };
      if (validation !== undefined) delete own.schema;
      if (subresources !== undefined) delete own.subresources;
      if (columns !== undefined) delete own.additionalPrinterColumns;
      if (selectable !== undefined) delete own.selectableFields;
      return own;
    }),
    validation,
    subresources,
    additionalPrinterColumns: columns ?? [],
    selectableFields: selectable ?? [],
  };
}
