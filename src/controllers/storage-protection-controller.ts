import type { Collection } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../schema/kubernetes/generated/types/core-v1.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { claims, volumes } from './core-collections.ts';
import { keyOf, partsOfKey } from './followed-objects.ts';

/** Objects without a namespace that are protected while in use. */
interface StorageProtection {
  readonly collection: Collection;
  readonly finalizer: string;
  /** The name of kube-controller-manager's queue, in metrics. */
  readonly queue: string;
  /** Collections whose objects, in any namespace, may use one. */
  readonly users: readonly Collection[];
  /** The names that a user refers to. */
  readonly namesIn: (user: KubernetesObject) => readonly string[];
  /** Whether the object itself says that it is in use. */
  readonly isBusy: (object: KubernetesObject) => boolean;
}

/** What kube-controller-manager protects, and until when, by its controllers' names. */
const protections = {
  'persistentvolume-protection-controller': {
    collection: volumes,
    finalizer: 'kubernetes.io/pv-protection',
    queue: 'pvprotection',
    users: [],
    namesIn: () => [],
    isBusy: (volume: PersistentVolume) => volume.status?.phase === 'Bound',
  },
  'volumeattributesclass-protection-controller': {
    collection: { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses', namespace: '' },
    finalizer: 'kubernetes.io/vac-protection',
    queue: 'vacprotection',
    users: [claims, volumes],
    namesIn: attributesClassesOf,
    isBusy: () => false,
  },
} as const satisfies { readonly [controller: string]: StorageProtection };

/**
 * Adds the finalizer to objects that lack it, and removes it from terminating ones once they are unused, so that
 * deletions complete without a kube-controller-manager. Users are followed from the first deletion on.
 */
export function storageProtectionController(
  controller: keyof typeof protections,
  context: ControllerContext,
): AsyncDisposable {
  const { client } = context;
  const { collection, finalizer, queue, users, namesIn, isBusy }: StorageProtection = protections[controller];
  const loop = new ControlLoop(context, treat, { queue });
  const open = loop.follow(collection, {
    keep: (object) => (isHeld(object) === isGoing(object) ? object : undefined),
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  let following: Promise<unknown> | undefined;
  return loop;

  async function treat(key: string): Promise<void> {
    const object = open.get('', partsOfKey(key).name);
    if (object === undefined) return;
    try {
      if (!isGoing(object)) await write(object, [...(object.metadata.finalizers ?? []), finalizer]);
      else if (!isBusy(object)) await release(object);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async function release(object: KubernetesObject): Promise<void> {
    const { name = '', finalizers = [] } = object.metadata;
    following ??= Promise.all(users.map((each) => followUsers(each)));
    await following;
    for (const each of users) if ((await client.list(each)).items.some((user) => namesIn(user).includes(name))) return;
    await write(
      object,
      finalizers.filter((other) => other !== finalizer),
    );
  }

  /** The end of a use is the event that matters. */
  function followUsers(collection: Collection): Promise<void> {
    return loop.follow(collection, {
      keep: (user) => {
        const names = namesIn(user);
        return names.length === 0 ? undefined : names;
      },
      changed: ({ before }) => {
        for (const name of before ?? []) loop.queue.add(keyOf('', name));
      },
    }).ready;
  }

  async function write(object: KubernetesObject, finalizers: string[]): Promise<void> {
    await client.update(collection, { ...object, metadata: { ...object.metadata, finalizers } });
  }

  function isHeld({ metadata }: KubernetesObject): boolean {
    return (metadata.finalizers ?? []).includes(finalizer);
  }
}

function isGoing({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The classes that a claim or a volume wants, has, or is about to get. */
function attributesClassesOf({
  spec,
  status,
}: KubernetesObject & PersistentVolumeClaim & { readonly spec?: PersistentVolume['spec'] }): readonly string[] {
  return [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => name !== undefined && name !== '');
}
