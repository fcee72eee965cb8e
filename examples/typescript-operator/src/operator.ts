import {
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesObject,
  makeInformer,
  type V1ConfigMap,
} from '@kubernetes/client-node';

export interface Website extends KubernetesObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly page?: string };
}

const kind = { group: 'example.com', version: 'v1', plural: 'websites' };
/** As the manager of the fields that it applies. */
const fieldManager = 'website-operator';

/** Keeps a page for each Website until `stop` is called; `onError` is told what could not be done. */
export async function runOperator(
  config: KubeConfig,
  onError: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  const websites = config.makeApiClient(CustomObjectsApi);
  const list = () => websites.listCustomObjectForAllNamespaces({ ...kind, resourcePlural: kind.plural });
  const informer = makeInformer<Website>(config, `/apis/${kind.group}/${kind.version}/${kind.plural}`, list);
  const changed = (website: Website): void => void reconcile(config, website).catch(onError);
  informer.on('add', changed);
  informer.on('update', changed);
  informer.on('error', onError);
  await informer.start();
  return { stop: () => informer.stop() };
}

/** Makes the page of a Website what it is to be; does nothing if it is. */
export async function reconcile(config: KubeConfig, website: Website): Promise<void> {
  const { name = '', namespace = '', uid = '' } = website.metadata ?? {};
  const page: V1ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${name}-page`,
      namespace,
      ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Website', name, uid, controller: true }],
    },
    data: { 'index.html': `<h1>${escaped(website.spec.text)}</h1>` },
  };
  const core = config.makeApiClient(CoreV1Api);
  const existing = await core.listNamespacedConfigMap({ namespace, fieldSelector: `metadata.name=${name}-page` });
  const [found] = existing.items;
  if (found === undefined) await core.createNamespacedConfigMap({ namespace, body: page, fieldManager });
  else if (found.data?.['index.html'] !== page.data?.['index.html'])
    await core.replaceNamespacedConfigMap({ namespace, name: `${name}-page`, body: page, fieldManager });
  if (website.status?.page === `${name}-page`) return;
  const body = [{ op: 'add', path: '/status', value: { page: `${name}-page` } }];
  await config
    .makeApiClient(CustomObjectsApi)
    .patchNamespacedCustomObjectStatus({ ...kind, namespace, name, body, fieldManager });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
