import type { KubernetesObject } from '../api/meta/object.ts';
import { admissionAttributes } from './admission-attributes.ts';
import type { Operation } from './operation.ts';

/**
 * Admits a connection to a node, pod or service, such as an exec. `options` is the object that plugins check
 * (`PodExecOptions`); those that mutate change it in place.
 */
export async function admitConnect(operation: Operation, name: string, options: KubernetesObject): Promise<void> {
  const { kind } = options;
  const write = { operation: 'CONNECT', name, object: options, oldObject: undefined, dryRun: false, kind } as const;
  const attributes = admissionAttributes(operation, write);
  await operation.admission.mutate(attributes);
  await operation.admission.validate(attributes);
}
