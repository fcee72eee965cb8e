import type { ConfigMap } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { sealed } from '../stored-data.ts';
import { configMap } from './validation.ts';

export const configMapKind = defineKind<ConfigMap>({
  group: '',
  kind: 'ConfigMap',
  checks: {
    create: configMap,
    update: function* (object, old) {
      yield* sealed(object, old);
      yield* configMap(object);
    },
  },
  table: async () => (await import('./table.ts')).configMaps,
});
