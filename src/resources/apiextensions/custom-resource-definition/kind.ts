import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { definitionDefaults } from './defaults.ts';
import { definitionStrategy } from './strategy.ts';
import { definition, definitionStatus, definitionUpdate } from './validation/definition.ts';
import { definitionUpdateWarnings, definitionWarnings } from './warnings.ts';
import { definitionFromBeta1, definitionToBeta1 } from './conversion.ts';

export const customResourceDefinitionKind = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  strategy: definitionStrategy,
  checks: {
    create: definition,
    update: definitionUpdate,
    subresources: { status: definitionStatus },
    anyFinalizer: true,
  },
  warnings: { create: definitionWarnings, update: definitionUpdateWarnings },
  defaults: definitionDefaults,
  table: async () => (await import('./table.ts')).customResourceDefinitions,
  // As the reference stores them.
  conversions: { 'apiextensions.k8s.io/v1beta1': definitionToBeta1 },
  olderVersions: {
    'apiextensions.k8s.io/v1beta1': definitionFromBeta1,
  },
});
