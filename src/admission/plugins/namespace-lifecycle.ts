import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import { StatusError } from '../../api/errors/status.ts';
import { forbidden } from '../../api/errors/status-errors.ts';
import { storedNamespace } from '../matching/selectors.ts';
import type { PluginContext } from '../plugin-context.ts';

/** Namespaces that cannot be deleted. */
const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Rejects creates in missing or terminating namespaces, and deletion of the system's namespaces. */
export function namespaceLifecycle({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    operations: new Set(['CREATE', 'UPDATE', 'DELETE']),
    mutate(attributes) {
      if (isNamespace(attributes)) return refuseImmortal(attributes);
      if (!attributes.namespaced || attributes.operation !== 'CREATE' || isAccessReview(attributes)) return;
      return refuseWithoutNamespace(attributes, stored);
    },
  };
}

function refuseImmortal({ operation, name }: AdmissionAttributes): void {
  if (operation !== 'DELETE' || !immortalNamespaces.has(name)) return;
  throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted');
}

function refuseWithoutNamespace(attributes: AdmissionAttributes, stored: PluginContext['stored']): Soon<void> {
  return soon(storedNamespace(stored, attributes.namespace), (namespace) => {
    if (isTerminating(namespace)) throw terminatingError(attributes);
  });
}

function isNamespace({ group, resource }: AdmissionAttributes): boolean {
  return group === '' && resource === 'namespaces';
}

/** Access reviews work in namespaces that do not exist. */
function isAccessReview({ group, resource }: AdmissionAttributes): boolean {
  return group === 'authorization.k8s.io' && resource === 'localsubjectaccessreviews';
}

function isTerminating(namespace: Readonly<KubernetesObject>): boolean {
  const status = namespace['status'];
  const phase = typeof status === 'object' && status !== null && 'phase' in status ? status.phase : undefined;
  return phase === 'Terminating' || namespace.metadata.deletionTimestamp !== undefined;
}

function terminatingError({ group, resource, name, namespace }: AdmissionAttributes): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbidden({ group, resource }, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
}
