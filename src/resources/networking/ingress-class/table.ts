import { getOwn } from '../../../api/json/json.ts';
import type { IngressClass } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const ingressClasses = defineTable<IngressClass>({
  columns: [
    nameColumn,
    textColumn('Controller', 'Controller that serves its ingresses.'),
    textColumn('Parameters', 'Object with additional parameters for the controller.'),
    ageColumn,
  ],
  cells(ingressClass, context) {
    const { metadata, spec = {} } = ingressClass;
    const isDefault = getOwn(metadata?.annotations, 'ingressclass.kubernetes.io/is-default-class') === 'true';
    return [
      `${nameOf(ingressClass)}${isDefault ? ' (default)' : ''}`,
      spec.controller ?? '',
      parametersText(ingressClass),
      age(ingressClass, context),
    ];
  },
});

function parametersText({ spec }: Readonly<IngressClass>): string {
  if (spec?.parameters === undefined) return '<none>';
  const { kind = '', apiGroup, name = '' } = spec.parameters;
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
}
