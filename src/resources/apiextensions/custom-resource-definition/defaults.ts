import type { Defaulters } from '../../../schema/defaulters.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { fixed, typed } from '../../parts/defaults/fill.ts';

export const definitionDefaults: Defaulters = {
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition': typed(defaultDefinition),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference': fixed({ port: 443 }),
};

function defaultDefinition(definition: CustomResourceDefinition): void {
  definition.spec ??= {};
  const { spec } = definition;
  const names = { ...spec.names };
  if (names.kind !== undefined) {
    names.singular ??= names.kind.toLowerCase();
    names.listKind ??= `${names.kind}List`;
  }
  spec.names = names;
  spec.conversion ??= { strategy: 'None' };
  const stored = spec.versions?.find(({ storage }) => storage === true);
  if (stored !== undefined && (definition.status?.storedVersions ?? []).length === 0) {
    definition.status = { ...definition.status, storedVersions: [stored.name ?? ''] };
  }
}
