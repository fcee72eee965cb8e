import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  type KubernetesObject,
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
  Watch,
} from '@kubernetes/client-node';
import type { JsonValue } from '../../src/api/json/json.ts';
import type { Server, Steps } from './program.ts';

type Step = readonly [title: string, act: () => Promise<unknown>];

/** Runs `@kubernetes/client-node` through server-side apply and other requests. */
export async function clientNodeSteps({ kubeconfigPath }: Server, namespace: string): Promise<Steps> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const core = config.makeApiClient(CoreV1Api);
  const steps: Steps = {};
  const all: readonly Step[] = [
    ['create a namespace', () => core.createNamespace({ body: { metadata: { name: namespace } } })],
    ...applying(config.makeApiClient(AppsV1Api), namespace),
    ...objects(KubernetesObjectApi.makeApiClient(config), namespace),
    ...otherwise(core, namespace),
    ['watch', () => watched(config, core, namespace)],
  ];
  for (const [title, act] of all) steps[title] = await resultOf(act);
  return steps;
}

/** The response: a value, or the status of an error. */
async function resultOf(act: () => Promise<unknown>): Promise<JsonValue> {
  try {
    return asJson(await act());
  } catch (error) {
    if (!(error instanceof ApiException)) throw error;
    const body: unknown = error.body;
    return asJson(typeof body === 'string' ? JSON.parse(body) : body);
  }
}

/** With dates as strings. */
function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}

function deployment(namespace: string, image: string): V1Deployment {
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image, ports: [{ containerPort: 80 }] }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** The typed client with an explicit media type. */
function applying(apps: AppsV1Api, namespace: string): readonly Step[] {
  const options = setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply);
  const apply = (image: string, fieldManager?: string, force?: boolean): Promise<V1Deployment> => {
    const body = deployment(namespace, image);
    const given = { ...(fieldManager && { fieldManager }), ...(force && { force }) };
    return apps.patchNamespacedDeployment({ name: 'web', namespace, body, ...given }, options);
  };
  const status = { observedGeneration: 1, conditions: [{ type: 'Available', status: 'True' }] };
  const named = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 5 } };
  return [
    ['apply', () => apply('web:1', 'gitops')],
    [
      'apply the same',
      async () => {
        const { metadata } = await apps.readNamespacedDeployment({ name: 'web', namespace });
        return (await apply('web:1', 'gitops')).metadata?.resourceVersion === metadata?.resourceVersion;
      },
    ],
    ['apply without a manager', () => apply('web:1')],
    ['apply a conflict', () => apply('web:2', 'other')],
    ['apply by force', () => apply('web:2', 'other', true)],
    [
      'apply a status',
      () =>
        apps.patchNamespacedDeploymentStatus(
          { name: 'web', namespace, body: { ...named, status }, fieldManager: 'controller' },
          options,
        ),
    ],
    [
      'apply a scale',
      () =>
        apps.patchNamespacedDeploymentScale(
          { name: 'web', namespace, body: scale, fieldManager: 'scaler', force: true },
          options,
        ),
    ],
    ['what is there now', () => apps.readNamespacedDeployment({ name: 'web', namespace })],
  ];
}

/** The generic client. */
function objects(api: KubernetesObjectApi, namespace: string): readonly Step[] {
  const map = (data: object): KubernetesObject & { readonly data: object } => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'any', namespace },
    data,
  });
  const header = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any', namespace } };
  const apply = (data: object, manager?: string, force?: boolean) =>
    api.patch(map(data), undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
  return [
    ['any kind: apply', () => apply({ one: '1', two: '2' }, 'gitops')],
    ['any kind: apply a conflict', () => apply({ one: '2' }, 'other')],
    ['any kind: apply by force', () => apply({ one: '2' }, 'other', true)],
    ['any kind: apply less', () => apply({}, 'gitops')],
    ['any kind: apply without a manager', () => apply({})],
    [
      'any kind: apply a dry run',
      () => api.patch(map({ dry: 'yes' }), undefined, 'All', 'gitops', true, PatchStrategy.ServerSideApply),
    ],
    ['any kind: strategic patch', () => api.patch(map({ strategic: 'yes' }))],
    [
      'any kind: merge patch',
      () => api.patch(map({ one: null }), undefined, undefined, undefined, undefined, PatchStrategy.MergePatch),
    ],
    ['any kind: read', () => api.read(header)],
    ['any kind: replace', () => api.replace(map({ replaced: 'yes' }))],
    ['any kind: list', () => api.list('v1', 'ConfigMap', namespace)],
    ['any kind: delete', () => api.delete(header)],
    ['any kind: read what is gone', () => api.read(header)],
  ];
}

function otherwise(core: CoreV1Api, namespace: string): readonly Step[] {
  const body = { metadata: { name: 'first', labels: { of: 'node' } }, data: { turn: '1' } };
  const operations = [{ op: 'add', path: '/data/added', value: '2' }];
  const bytes = Buffer.from([0, 1, 255]).toString('base64');
  return [
    ['create', () => core.createNamespacedConfigMap({ namespace, body })],
    ['create it again', () => core.createNamespacedConfigMap({ namespace, body })],
    [
      'create a secret',
      () => core.createNamespacedSecret({ namespace, body: { metadata: { name: 'key' }, data: { bytes } } }),
    ],
    ['JSON patch', () => core.patchNamespacedConfigMap({ name: 'first', namespace, body: operations })],
    ['replace', () => core.replaceNamespacedConfigMap({ name: 'first', namespace, body })],
    ['list', () => core.listNamespacedConfigMap({ namespace, labelSelector: 'of=node', limit: 1 })],
    ['delete', () => core.deleteNamespacedConfigMap({ name: 'first', namespace })],
    ['read what is gone', () => core.readNamespacedConfigMap({ name: 'first', namespace })],
  ];
}

/** The events of three changes, starting at a list's version. */
async function watched(config: KubeConfig, core: CoreV1Api, namespace: string): Promise<readonly string[]> {
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const body = (turn: string) => ({ metadata: { name: 'seen' }, data: { turn } });
  const events: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const controller = await new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { resourceVersion: metadata?.resourceVersion, timeoutSeconds: 20 },
    (phase, { data }: { readonly data: object }) => {
      if (events.push(`${phase} ${JSON.stringify(data)}`) === 3) resolve();
    },
    (error) => reject(error ?? new Error(`ended after ${events.join(', ')}`)),
  );
  await core.createNamespacedConfigMap({ namespace, body: body('1') });
  await core.replaceNamespacedConfigMap({ name: 'seen', namespace, body: body('2') });
  await core.deleteNamespacedConfigMap({ name: 'seen', namespace });
  await promise;
  controller.abort();
  return events;
}
