import type { JsonObject } from '../../../../src/api/json/json.ts';
import { samplesOf } from '../sample.ts';

const hostPath = { path: '/tmp/data' };
const capacity = { storage: '3Gi' };

function claimSpec(spec: JsonObject = {}): JsonObject {
  return { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...spec } };
}

function volumeSpec(spec: JsonObject = {}): JsonObject {
  return { spec: { accessModes: ['ReadWriteOnce'], capacity, hostPath, ...spec } };
}

function isDefault(value: string, prefix = 'storageclass'): JsonObject {
  return { annotations: { [`${prefix}.kubernetes.io/is-default-class`]: value } };
}

const betaClass = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'beta' } };

export const storageSamples = [
  ...samplesOf('v1/persistentvolumes', [
    { body: volumeSpec() },
    {
      body: volumeSpec({
        accessModes: ['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce'],
        claimRef: { namespace: 'tables', name: 'c' },
        storageClassName: 'fast',
        volumeMode: 'Block',
        persistentVolumeReclaimPolicy: 'Delete',
      }),
      status: { phase: 'Bound' },
    },
    {
      metadata: betaClass,
      body: volumeSpec({ capacity: { storage: '1500M' } }),
      status: { phase: 'Failed', reason: 'Broken' },
    },
    {
      deleted: true,
      body: {
        spec: {
          accessModes: ['ReadWriteOncePod'],
          capacity,
          csi: { driver: 'd.example.com', volumeHandle: 'h' },
          volumeAttributesClassName: 'gold',
        },
      },
    },
  ]),
  ...samplesOf('v1/persistentvolumeclaims', [
    { body: claimSpec() },
    {
      body: claimSpec({ volumeName: 'pv-1', storageClassName: 'fast', volumeMode: 'Block' }),
      status: { phase: 'Bound', accessModes: ['ReadWriteMany', 'ReadOnlyMany'], capacity: { storage: '3Gi' } },
    },
    {
      metadata: betaClass,
      body: claimSpec({ storageClassName: 'beta', volumeName: 'pv-2' }),
      status: { phase: 'Lost' },
    },
    { deleted: true, body: claimSpec({ volumeAttributesClassName: 'gold' }) },
  ]),
  ...samplesOf('storage.k8s.io/v1/storageclasses', [
    { body: { provisioner: 'example.com/a' } },
    {
      metadata: isDefault('true'),
      body: {
        provisioner: 'example.com/b',
        reclaimPolicy: 'Retain',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
      },
    },
    {
      metadata: isDefault('true', 'storageclass.beta'),
      body: { provisioner: 'example.com/c', allowVolumeExpansion: false },
    },
    { metadata: isDefault('false'), body: { provisioner: 'example.com/d' } },
  ]),
  ...samplesOf('storage.k8s.io/v1/volumeattributesclasses', [
    { body: { driverName: 'd.example.com', parameters: { a: 'b' } } },
  ]),
  ...samplesOf('storage.k8s.io/v1/volumeattachments', [
    { body: { spec: { attacher: 'd.example.com', nodeName: 'node-1', source: { persistentVolumeName: 'pv-1' } } } },
    {
      body: { spec: { attacher: 'd.example.com', nodeName: 'node-2', source: { persistentVolumeName: 'pv-2' } } },
      status: { attached: true },
    },
    {
      body: {
        spec: {
          attacher: 'd.example.com',
          nodeName: 'node-3',
          source: {
            inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd.example.com', volumeHandle: 'h' } },
          },
        },
      },
    },
  ]),
  ...samplesOf('storage.k8s.io/v1/csinodes', [
    { body: { spec: { drivers: [] } } },
    { body: { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n' }] } } },
  ]),
  ...samplesOf('storage.k8s.io/v1/csidrivers', [
    { body: { spec: {} } },
    {
      body: {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          storageCapacity: true,
          requiresRepublish: true,
          tokenRequests: [{ audience: 'a' }, { audience: 'b', expirationSeconds: 3600 }],
          volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        },
      },
    },
    { body: { spec: { attachRequired: true, tokenRequests: [{ audience: '' }] } } },
  ]),
  ...samplesOf('storage.k8s.io/v1/csistoragecapacities', [{ body: { storageClassName: 'fast', capacity: '1Gi' } }]),
];
