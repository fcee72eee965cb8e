import { isDeepStrictEqual } from 'node:util';
import { lacksNamespace } from '../../api/errors/status.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { ConfigMap, Namespace } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { configMaps, namespaces } from '../core-collections.ts';
import { partsOfKey } from '../followed-objects.ts';

const mapName = 'kube-root-ca.crt';
const descriptionAnnotation = 'kubernetes.io/description';
/** The reference's wording: users compare it. */
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

type StoredConfigMap = KubernetesObject & ConfigMap;

/** Maintains in every namespace a ConfigMap with the CA by which pods trust the server. */
export function rootCaPublisher(context: ControllerContext): AsyncDisposable {
  const { client, rootCa } = context;
  const data = { 'ca.crt': rootCa };
  const loop = new ControlLoop(context, publish, { queue: 'root_ca_cert_publisher' });
  const maps = loop.follow(configMaps, {
    mentions: mapName,
    keep: (object) => (object.metadata.name === mapName ? (object as StoredConfigMap) : undefined), // decoded by its schema
    changed: ({ before, key }) => {
      if (before !== undefined) loop.queue.add(partsOfKey(key).namespace);
    },
  });
  const active = loop.follow(namespaces, {
    keep: ({ status }) => (status as Namespace['status'])?.phase === 'Active', // decoded by its schema
    changed: ({ now, key }) => {
      if (now === true) loop.queue.add(partsOfKey(key).name);
    },
  });
  return loop;

  async function publish(namespace: string): Promise<void> {
    if (active.get('', namespace) !== true) return;
    const map = maps.get(namespace, mapName);
    if (map === undefined) return create(namespace);
    const { annotations = {} } = map.metadata;
    if (isDeepStrictEqual(map.data, data) && (annotations[descriptionAnnotation] ?? '') !== '') return;
    const metadata = { ...map.metadata, annotations: { ...annotations, [descriptionAnnotation]: description } };
    await client.update(configMaps, { ...map, metadata, data });
  }

  async function create(namespace: string): Promise<void> {
    const metadata = { name: mapName, namespace, annotations: { [descriptionAnnotation]: description } };
    try {
      await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    } catch (error) {
      if (!lacksNamespace(error)) throw error;
    }
  }
}
