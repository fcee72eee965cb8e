import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';

/** Attributes of a write that plugins rarely read. */
export const anyWrite: Omit<AdmissionAttributes, 'operation' | 'group' | 'resource' | 'kind' | 'name' | 'object'> = {
  version: 'v1',
  subresource: '',
  namespace: 'default',
  namespaced: true,
  oldObject: undefined,
  dryRun: false,
  deadlineMs: Number.MAX_SAFE_INTEGER,
  options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  user: { name: 'admin', uid: '', groups: [], extra: {} },
  objectKind: { group: '', version: 'v1', kind: 'Pod' },
  place: {},
  versions: () => [],
  inVersion: () => Promise.resolve(undefined),
  valuesIn: () => Promise.resolve(undefined),
  replaceObject: () => Promise.reject(new Error('no other version')),
  warn: () => undefined,
  annotate: () => undefined,
  waited: () => undefined,
};

/** Runs a plugin for the first time. */
export async function mutated(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<void> {
  await plugin.mutate?.(attributes, { isAgain: false, runAgain: () => undefined });
}
