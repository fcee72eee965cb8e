import type { JsonValue } from '../../api/json/json.ts';
import type { TableContext } from '../../registry/kinds/table.ts';
import type { ClusterRoleBinding, RoleBinding, Subject } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { nameOf } from '../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../parts/tables/define-table.ts';
import { age } from '../parts/tables/time-text.ts';

const columns = [
  nameColumn,
  textColumn('Role', 'Kind and name of the role.'),
  ageColumn,
  wide(textColumn('Users', 'Users bound to the role.')),
  wide(textColumn('Groups', 'Groups bound to the role.')),
  wide(textColumn('ServiceAccounts', 'Service accounts bound to the role.')),
];

/** For RoleBindings and ClusterRoleBindings. */
export const bindings = defineTable<RoleBinding | ClusterRoleBinding>({ columns, cells: bindingCells });

function bindingCells(binding: Readonly<RoleBinding | ClusterRoleBinding>, context: TableContext): JsonValue[] {
  const { roleRef, subjects = [] } = binding;
  const named = (kind: string, text: (subject: Subject) => string): string =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(text)
      .join(', ');
  return [
    nameOf(binding),
    `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    age(binding, context),
    named('User', ({ name = '' }) => name),
    named('Group', ({ name = '' }) => name),
    named('ServiceAccount', ({ namespace = '', name = '' }) => `${namespace}/${name}`),
  ];
}
