import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';
import type { DeviceClass } from '../../../schema/kubernetes/generated/types/resource-v1.ts';

/** Every class goes by a resource name of its own as well. */
export const impliedPrefix = 'deviceclass.resource.kubernetes.io/';

const collection = { group: 'resource.k8s.io', version: 'v1', plural: 'deviceclasses' };

/** Which devices pods can ask for as resources. */
export interface DeviceClasses {
  /** The resource that a class says stands for it. */
  readonly resources: ReadonlyMap<string, string>;
  /** All resources that stand for classes. */
  readonly names: ReadonlySet<string>;
}

export const noClasses: DeviceClasses = { resources: new Map(), names: new Set() };

/** The stored device classes, where their names matter. */
export async function deviceClasses(stored: StoredObjects | undefined): Promise<DeviceClasses> {
  if (stored === undefined) return noClasses;
  // Stored under the schema of the kind.
  const classes = (await stored.list(collection)) as readonly (KubernetesObject & DeviceClass)[];
  if (classes.length === 0) return noClasses;
  const resources = new Map<string, string>();
  const names = new Set<string>();
  for (const { metadata, spec } of classes) {
    const { name = '' } = metadata;
    const resource = spec?.extendedResourceName;
    if (resource !== undefined) {
      resources.set(name, resource);
      names.add(resource);
    }
    names.add(impliedPrefix + name);
  }
  return { resources, names };
}
