import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { notFound } from '../../api/errors/status-errors.ts';
import type { PluginContext } from '../plugin-context.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };

/** Rejects writes in namespaces that do not exist. */
export function namespaceExists({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    operations: new Set(['CREATE', 'UPDATE', 'DELETE']),
    async validate({ namespaced, namespace, group, resource }) {
      if (!namespaced || namespace === '' || (group === '' && resource === 'namespaces')) return;
      if ((await stored.get(namespaces, { namespace: '', name: namespace })) !== undefined) return;
      throw notFound({ group: '', resource: 'namespaces' }, namespace);
    },
  };
}
