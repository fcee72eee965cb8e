import type { KubernetesObject } from '../../api/meta/object.ts';
import { notFound } from '../../api/errors/status-errors.ts';

export function accountNotFound(name: string): string {
  return notFound({ group: '', resource: 'serviceaccounts' }, name).message;
}

export function uidOf({ metadata }: Readonly<KubernetesObject>): string {
  return metadata.uid ?? '';
}
