import { configMap, namespaced, pod } from '../text-bodies.ts';
import { container, hole, type TextField } from './place.ts';

const pods = namespaced('pods');

const volume = (parts: object): object => pod({ volumes: [{ name: 'a', ...parts }] });

/** Places in pods, and in metadata. */
export const placesOfPods: readonly TextField[] = [
  { what: 'name', path: pods, document: pod({}, { name: hole }) },
  { what: 'generated name', path: pods, document: pod({}, { name: '', generateName: hole }) },
  { what: 'namespace', path: pods, document: pod({}, { namespace: hole }) },
  { what: 'uid', path: pods, document: pod({}, { uid: hole }) },
  { what: 'resource version', path: pods, document: pod({}, { resourceVersion: hole }) },
  {
    what: 'creation time',
    path: pods,
    document: pod({}, { creationTimestamp: hole }),
    texts: ['2026-01-01T00:00:00.', '0'],
    prefix: '2026-01-01T00:00:00.',
  },
  { what: 'label value', path: pods, document: pod({}, { labels: { a: hole } }) },
  { what: 'annotation', path: pods, document: pod({}, { annotations: { a: hole } }) },
  {
    what: 'seccomp annotation',
    path: pods,
    document: pod({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': hole } }),
  },
  { what: 'finalizer', path: pods, document: pod({}, { finalizers: [hole] }) },
  {
    what: 'owner',
    path: pods,
    document: pod({}, { ownerReferences: [{ apiVersion: hole, kind: 'a', name: 'a', uid: 'a' }] }),
  },
  {
    what: 'manager',
    path: pods,
    document: pod(
      {},
      {
        managedFields: [{ manager: hole, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
      },
    ),
  },
  { what: 'api version', path: pods, document: { ...pod(), apiVersion: hole } },
  { what: 'kind', path: pods, document: { ...pod(), kind: hole } },
  { what: 'key of data', path: namespaced('configmaps'), document: configMap({ data: { HOLE: 'a' } }) },
  { what: 'image', path: pods, document: container({ image: hole }), texts: ['a/', '@sha256:', 'a:'] },
  {
    what: 'quantity',
    path: pods,
    document: container({ resources: { limits: { cpu: hole } } }),
    texts: ['1e', 'Ki', '+1'],
  },
  {
    what: 'resource name',
    path: pods,
    document: container({ resources: { limits: { HOLE: '1' } } }),
    texts: ['hugepages-'],
  },
  { what: 'variable name', path: pods, document: container({ env: [{ name: hole }] }) },
  {
    what: 'field path',
    path: pods,
    document: container({ env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: hole } } }] }),
    texts: ["metadata.labels['"],
    prefix: "metadata.labels['",
  },
  {
    what: 'mount path',
    path: pods,
    document: container({ volumeMounts: [{ name: 'a', mountPath: hole }] }),
    texts: ['../', './'],
  },
  {
    what: 'expanded mount path',
    path: pods,
    document: container({ volumeMounts: [{ name: 'a', mountPath: '/a', subPathExpr: hole }] }),
    texts: ['$(', '$$', '../'],
  },
  {
    what: 'probe path',
    path: pods,
    document: container({ livenessProbe: { httpGet: { path: hole, port: 1 } } }),
    texts: ['%2'],
  },
  {
    what: 'probe header',
    path: pods,
    document: container({ livenessProbe: { httpGet: { port: 1, httpHeaders: [{ name: hole }] } } }),
  },
  { what: 'port', path: pods, document: container({ livenessProbe: { httpGet: { port: hole } } }) },
  { what: 'port name', path: pods, document: container({ ports: [{ containerPort: 1, name: hole }] }) },
  { what: 'host name', path: pods, document: pod({ hostname: hole }) },
  {
    what: 'host alias',
    path: pods,
    document: pod({ hostAliases: [{ ip: hole, hostnames: [hole] }] }),
    texts: ['1.', 'f:', '::', '0:0:'],
  },
  {
    what: 'name server',
    path: pods,
    document: pod({ dnsPolicy: 'None', dnsConfig: { nameservers: [hole], searches: [hole] } }),
    texts: ['1.', 'f:', 'a.'],
  },
  {
    what: 'sysctl',
    path: pods,
    document: pod({ securityContext: { sysctls: [{ name: hole, value: 'a' }] } }),
    texts: ['a.', 'a/'],
  },
  { what: 'selinux level', path: pods, document: pod({ securityContext: { seLinuxOptions: { level: hole } } }) },
  { what: 'toleration', path: pods, document: pod({ tolerations: [{ key: hole, value: hole }] }), texts: ['a/'] },
  {
    what: 'topology key',
    path: pods,
    document: pod({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: hole, whenUnsatisfiable: 'DoNotSchedule' }],
    }),
    texts: ['a/'],
  },
  {
    what: 'pod template annotation',
    path: pods,
    document: pod({}, { annotations: { 'scheduler.alpha.kubernetes.io/defaultTolerations': hole } }),
  },
  { what: 'host path', path: pods, document: volume({ hostPath: { path: hole } }), texts: ['../', './'] },
  {
    what: 'projected path',
    path: pods,
    document: volume({ downwardAPI: { items: [{ path: hole, fieldRef: { fieldPath: 'metadata.name' } }] } }),
    texts: ['../', './'],
  },
  {
    what: 'iscsi name',
    path: pods,
    document: volume({ iscsi: { targetPortal: 'a', iqn: hole, lun: 0 } }),
    texts: ['iqn.', 'eui.', 'naa.'],
    prefix: 'iqn.2001-04.',
  },
];
