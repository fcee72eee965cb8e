/** Size of a pod as sent by either server. */
export const podBytes = 3780;

export const podsPath = '/api/v1/namespaces/default/pods';

export function podName(index: number): string {
  return `web-7c5ddbdf54-${index.toString(36).padStart(5, '0')}`;
}

/**
 * A pod as a ReplicaSet controller creates it and the scheduler leaves it; `padding` brings it to `podBytes`. On a
 * server without its node and its owner, controllers delete it.
 */
export function podText(name: string, padding: number, ownerUid = '5f0c2a3e-9a5e-4d53-8d0f-0d1b8a3c1c11'): string {
  const { metadata, spec } = pod;
  const annotations = { ...metadata.annotations, 'example.com/configuration': 'x'.repeat(padding) };
  const ownerReferences = [{ ...owner, uid: ownerUid, controller: true, blockOwnerDeletion: true }];
  return JSON.stringify({ ...pod, metadata: { name, ...metadata, annotations, ownerReferences }, spec });
}

/** The node of these pods, to be applied. */
export const podNode = {
  path: '/api/v1/nodes/node-1',
  object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } },
};

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7c5ddbdf54' };
const selected = { app: 'web', 'pod-template-hash': '7c5ddbdf54' };

/** The owner of these pods, to be applied. */
export const podOwner = {
  path: `/apis/apps/v1/namespaces/default/replicasets/${owner.name}`,
  object: {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    metadata: { name: owner.name },
    spec: {
      selector: { matchLabels: selected },
      template: { metadata: { labels: selected }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  },
};

const probe = (path: string, periodSeconds: number) => ({
  httpGet: { path, port: 'http', scheme: 'HTTP' },
  initialDelaySeconds: 5,
  timeoutSeconds: 1,
  periodSeconds,
  successThreshold: 1,
  failureThreshold: 3,
});

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    generateName: 'web-7c5ddbdf54-',
    namespace: 'default',
    labels: { ...selected, 'app.kubernetes.io/part-of': 'shop', tier: 'frontend' },
    annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
  },
  spec: {
    nodeName: 'node-1',
    serviceAccountName: 'default',
    priority: 0,
    volumes: [
      { name: 'configuration', configMap: { name: 'web-configuration', defaultMode: 420 } },
      { name: 'cache', emptyDir: {} },
    ],
    containers: [
      {
        name: 'web',
        image: 'registry.example.com/shop/web:1.42.0',
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: [
          { name: 'LOG_LEVEL', value: 'info' },
          { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        ],
        resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [
          { name: 'configuration', mountPath: '/etc/web', readOnly: true },
          { name: 'cache', mountPath: '/var/cache/web' },
        ],
        livenessProbe: probe('/healthz', 10),
        readinessProbe: probe('/ready', 5),
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
  },
};
