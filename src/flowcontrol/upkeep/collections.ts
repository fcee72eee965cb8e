import type { Collection } from '../../api/client/client.ts';

function collection(resource: string): Collection {
  return { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', resource, namespace: '' };
}

export const flowSchemas = collection('flowschemas');
export const priorityLevels = collection('prioritylevelconfigurations');
