import type { Node } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { byBytes, conditionsByType, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';

export const nodes = defineTable<Node>({
  columns: [
    nameColumn,
    textColumn('Status', 'Whether the node is ready and schedulable.'),
    textColumn('Roles', 'Roles from the labels of the node.'),
    ageColumn,
    textColumn('Version', 'Version of the kubelet.'),
    wide(textColumn('Internal-IP', 'First internal address.')),
    wide(textColumn('External-IP', 'First external address.')),
    wide(textColumn('OS-Image', 'Operating system of the node.')),
    wide(textColumn('Kernel-Version', 'Kernel of the node and its architecture.')),
    wide(textColumn('Container-Runtime', 'Container runtime and its version.')),
  ],
  cells(node, context) {
    const info = node.status?.nodeInfo ?? {};
    const architecture = info.architecture ? ` (${info.architecture})` : '';
    return [
      nameOf(node),
      nodeStatus(node),
      nodeRoles(node),
      age(node, context),
      info.kubeletVersion ?? '',
      firstAddress(node, 'InternalIP'),
      firstAddress(node, 'ExternalIP'),
      info.osImage || '<unknown>',
      `${info.kernelVersion || '<unknown>'}${architecture}`,
      info.containerRuntimeVersion || '<unknown>',
    ];
  },
});

function nodeStatus({ spec, status }: Readonly<Node>): string {
  const ready = conditionsByType(status?.conditions).get('Ready');
  const readiness = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${readiness},SchedulingDisabled` : readiness;
}

function nodeRoles({ metadata }: Readonly<Node>): string {
  const roles = Object.entries(metadata?.labels ?? {}).map(([key, value]) =>
    key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === roleLabel ? value : '',
  );
  const named = new Set(roles.filter((role) => role !== ''));
  return [...named].toSorted(byBytes).join(',') || '<none>';
}

function firstAddress({ status }: Readonly<Node>, type: string): string {
  const found = status?.addresses?.find((address) => address.type === type);
  return found === undefined ? '<none>' : (found.address ?? '');
}
