import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { isReason, StatusError } from '../../api/errors/status.ts';
import type { PluginContext } from '../plugin-context.ts';
import { refusal } from '../refusal.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };

/** Creates a missing namespace when an object is created in it. */
export function namespaceAutoProvision({ stored, client }: Pick<PluginContext, 'stored' | 'client'>): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    operations: new Set(['CREATE']),
    async mutate(attributes) {
      const { dryRun, namespaced, namespace: name } = attributes;
      if (dryRun || !namespaced || name === '') return;
      if ((await stored.get(namespaces, { namespace: '', name })) !== undefined) return;
      try {
        const resource = { group: '', version: 'v1', resource: 'namespaces' };
        await client().create(resource, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      } catch (error) {
        if (isReason(error, 'AlreadyExists')) return;
        throw error instanceof StatusError ? refusal(attributes, error.message) : error;
      }
    },
  };
}
