import type { JsonObject } from '../../src/api/json/json.ts';
import { authority, proofOverPodUid, publicKey, signingRequest, stubRequest } from './certificates.ts';

/** What a valid object of a resource needs beyond apiVersion, kind and name. */
export interface Sample {
  /** Absent: `sample`. */
  readonly name?: string;
  readonly body: JsonObject;
}

const labels = { app: 'chart' };
const podSpec: JsonObject = { containers: [{ name: 'plotter', image: 'registry.example/plotter:1' }] };
const template: JsonObject = { metadata: { labels }, spec: podSpec };
const finiteTemplate: JsonObject = { spec: { ...podSpec, restartPolicy: 'Never' } };
const workload: JsonObject = { selector: { matchLabels: labels }, template };
const scaleTarget: JsonObject = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'plotter' };
const reader: JsonObject = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
const subject: JsonObject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'dora' };
const roleRef: JsonObject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' };
const operationsOnDeployments: JsonObject = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
};
const webhooks: JsonObject[] = [
  {
    name: 'customs.harbor.example',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Ignore',
    clientConfig: { service: { namespace: 'harbor', name: 'customs' } },
    rules: [operationsOnDeployments],
  },
];
const mutatingPolicy: Sample = {
  body: {
    spec: {
      matchConstraints: { resourceRules: [operationsOnDeployments] },
      reinvocationPolicy: 'IfNeeded',
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"inspected": "yes"}}}' },
        },
      ],
    },
  },
};
const policyBinding: Sample = { body: { spec: { policyName: 'replica-limit' } } };
const trustBundle: Sample = {
  name: 'harbor.example:signer:first',
  body: { spec: { signerName: 'harbor.example/signer', trustBundle: authority } },
};
const podCertificate: JsonObject = {
  signerName: 'harbor.example/signer',
  podName: 'plotter',
  podUID: 'pod-uid',
  serviceAccountName: 'plotter',
  serviceAccountUID: 'service-account-uid',
  nodeName: 'berth-1',
  nodeUID: 'node-uid',
  maxExpirationSeconds: 86_400,
};
const leaseCandidate: Sample = {
  body: {
    spec: {
      leaseName: 'pilot',
      binaryVersion: '1.37.0',
      emulationVersion: '1.37.0',
      strategy: 'OldestEmulationVersion',
    },
  },
};
const taintRule: Sample = {
  body: { spec: { taint: { key: 'harbor.example/flooded', value: 'yes', effect: 'NoSchedule' } } },
};
const exactRequest: JsonObject = { deviceClassName: 'sonar', allocationMode: 'ExactCount', count: 1 };
const claim: JsonObject = { devices: { requests: [{ name: 'sonar', exactly: exactRequest }] } };
const claimOfBeta1: JsonObject = { devices: { requests: [{ name: 'sonar', ...exactRequest }] } };
const podGroup: Sample = {
  body: {
    spec: { workloadRef: { workloadName: 'fleet', templateName: 'crew' }, schedulingPolicy: { basic: {} } },
  },
};
const volumeSource: JsonObject = { hostPath: { path: '/var/hold' } };

/** By `group/plural`, or by `group/version/plural` if a version differs. */
export const samples: { readonly [resource: string]: Sample } = {
  '/configmaps': { body: { data: { heading: 'north' } } },
  '/endpoints': { body: { subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ port: 8080 }] }] } },
  '/events': { body: { involvedObject: { namespace: 'e2e', name: 'plotter' }, message: 'anchored' } },
  '/limitranges': { body: { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } } },
  '/namespaces': { name: 'sample-namespace', body: {} },
  '/nodes': { body: { spec: { unschedulable: true } } },
  '/persistentvolumeclaims': {
    body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } } },
  },
  '/persistentvolumes': {
    body: { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '3Gi' }, ...volumeSource } },
  },
  '/pods': { body: { spec: podSpec } },
  '/podtemplates': { body: { template } },
  '/replicationcontrollers': { body: { spec: { selector: labels, template } } },
  '/resourcequotas': { body: { spec: { hard: { pods: '10' } } } },
  '/secrets': { body: { data: { code: 'YWhveQ==' } } },
  '/serviceaccounts': { body: { imagePullSecrets: [{ name: 'registry' }] } },
  '/services': { body: { spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } } },
  'admissionregistration.k8s.io/mutatingadmissionpolicies': mutatingPolicy,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': policyBinding,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': { body: { webhooks } },
  'admissionregistration.k8s.io/validatingadmissionpolicies': {
    body: {
      spec: {
        matchConstraints: { resourceRules: [operationsOnDeployments] },
        validations: [{ expression: 'object.spec.replicas <= 5', message: 'too many replicas' }],
      },
    },
  },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': {
    body: { spec: { policyName: 'replica-limit', validationActions: ['Deny'] } },
  },
  'admissionregistration.k8s.io/validatingwebhookconfigurations': { body: { webhooks } },
  'apiextensions.k8s.io/customresourcedefinitions': {
    name: 'buoys.harbor.example',
    body: {
      spec: {
        group: 'harbor.example',
        scope: 'Cluster',
        names: { kind: 'Buoy', plural: 'buoys', singular: 'buoy', listKind: 'BuoyList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  },
  'apiregistration.k8s.io/apiservices': {
    name: 'v1.tides.example',
    body: {
      spec: {
        group: 'tides.example',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'harbor', name: 'tides' },
      },
    },
  },
  'apps/controllerrevisions': { body: { revision: 1, data: { spec: { replicas: 2 } } } },
  'apps/daemonsets': { body: { spec: workload } },
  'apps/deployments': { body: { spec: workload } },
  'apps/replicasets': { body: { spec: workload } },
  'apps/statefulsets': { body: { spec: { ...workload, serviceName: 'plotter' } } },
  'autoscaling/horizontalpodautoscalers': { body: { spec: { maxReplicas: 3, scaleTargetRef: scaleTarget } } },
  'batch/cronjobs': {
    body: { spec: { schedule: '15 4 * * *', jobTemplate: { spec: { template: finiteTemplate } } } },
  },
  'batch/jobs': { body: { spec: { template: finiteTemplate } } },
  'certificates.k8s.io/certificatesigningrequests': {
    body: { spec: { signerName: 'harbor.example/signer', usages: ['any'], request: signingRequest } },
  },
  'certificates.k8s.io/clustertrustbundles': trustBundle,
  'certificates.k8s.io/podcertificaterequests': {
    body: { spec: { ...podCertificate, stubPKCS10Request: stubRequest } },
  },
  'certificates.k8s.io/v1beta1/podcertificaterequests': {
    body: { spec: { ...podCertificate, pkixPublicKey: publicKey, proofOfPossession: proofOverPodUid } },
  },
  'coordination.k8s.io/leasecandidates': leaseCandidate,
  'coordination.k8s.io/leases': { body: { spec: { holderIdentity: 'pilot-1', leaseDurationSeconds: 15 } } },
  'discovery.k8s.io/endpointslices': {
    body: { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.10'] }], ports: [{ port: 8080 }] },
  },
  'events.k8s.io/events': {
    body: {
      regarding: { namespace: 'e2e', name: 'plotter' },
      eventTime: '2026-11-21T08:00:00.000000Z',
      reportingController: 'harbor.example/pilot',
      reportingInstance: 'pilot-1',
      action: 'Anchor',
      reason: 'Anchored',
      type: 'Normal',
      note: 'anchored',
    },
  },
  'flowcontrol.apiserver.k8s.io/flowschemas': {
    body: { spec: { priorityLevelConfiguration: { name: 'pilots' } } },
  },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': {
    body: {
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
    },
  },
  'internal.apiserver.k8s.io/storageversions': { name: 'harbor.example.buoys', body: { spec: {} } },
  'lifecycle.k8s.io/evictionrequests': {
    body: {
      spec: {
        target: { pod: { name: 'plotter', uid: 'f3bcb3f5-36e1-4f4f-bd0e-7b7ad6f7b3a1' } },
        requester: 'pilot.harbor.example/drain',
        intent: 'Eviction',
      },
    },
  },
  'lifecycle.k8s.io/evictions': {
    body: { spec: { target: { pod: { name: 'plotter', uid: 'f3bcb3f5-36e1-4f4f-bd0e-7b7ad6f7b3a1' } } } },
  },
  'networking.k8s.io/ingressclasses': { body: { spec: { controller: 'harbor.example/gate' } } },
  'networking.k8s.io/ingresses': {
    body: { spec: { defaultBackend: { service: { name: 'plotter', port: { number: 80 } } } } },
  },
  'networking.k8s.io/ipaddresses': {
    name: '198.51.100.7',
    body: { spec: { parentRef: { resource: 'services', namespace: 'e2e', name: 'plotter' } } },
  },
  'networking.k8s.io/networkpolicies': { body: { spec: { podSelector: { matchLabels: labels } } } },
  'networking.k8s.io/servicecidrs': { body: { spec: { cidrs: ['198.51.100.0/24'] } } },
  'node.k8s.io/runtimeclasses': { body: { handler: 'sandbox' } },
  'policy/poddisruptionbudgets': { body: { spec: { minAvailable: 1, selector: { matchLabels: labels } } } },
  'rbac.authorization.k8s.io/clusterrolebindings': { body: { roleRef, subjects: [subject] } },
  'rbac.authorization.k8s.io/clusterroles': { body: { rules: [reader] } },
  'rbac.authorization.k8s.io/rolebindings': { body: { roleRef, subjects: [subject] } },
  'rbac.authorization.k8s.io/roles': { body: { rules: [reader] } },
  'resource.k8s.io/deviceclasses': { body: { spec: {} } },
  'resource.k8s.io/devicetaintrules': taintRule,
  'resource.k8s.io/resourceclaims': { body: { spec: claim } },
  'resource.k8s.io/resourceclaimtemplates': { body: { spec: { spec: claim } } },
  'resource.k8s.io/v1beta1/resourceclaims': { body: { spec: claimOfBeta1 } },
  'resource.k8s.io/v1beta1/resourceclaimtemplates': { body: { spec: { spec: claimOfBeta1 } } },
  'resource.k8s.io/resourcepoolstatusrequests': { body: { spec: { driver: 'sonar.harbor.example' } } },
  'resource.k8s.io/resourceslices': {
    body: {
      spec: {
        nodeName: 'berth-1',
        driver: 'sonar.harbor.example',
        pool: { name: 'berth-1', generation: 1, resourceSliceCount: 1 },
      },
    },
  },
  'scheduling.k8s.io/compositepodgroups': podGroup,
  'scheduling.k8s.io/podgroups': podGroup,
  'scheduling.k8s.io/priorityclasses': { body: { value: 1000, description: 'pilots first' } },
  'scheduling.k8s.io/workloads': {
    body: { spec: { podGroupTemplates: [{ name: 'crew', schedulingPolicy: { basic: {} } }] } },
  },
  'storage.k8s.io/csidrivers': { body: { spec: { attachRequired: true, podInfoOnMount: true } } },
  'storage.k8s.io/csinodes': {
    body: {
      spec: { drivers: [{ name: 'hold.harbor.example', nodeID: 'berth-1', topologyKeys: ['harbor.example/pier'] }] },
    },
  },
  'storage.k8s.io/csistoragecapacities': { body: { storageClassName: 'hold', capacity: '10Gi' } },
  'storage.k8s.io/storageclasses': { body: { provisioner: 'hold.harbor.example' } },
  'storage.k8s.io/volumeattachments': {
    body: {
      spec: { attacher: 'hold.harbor.example', nodeName: 'berth-1', source: { persistentVolumeName: 'hold-1' } },
    },
  },
  'storage.k8s.io/volumeattributesclasses': {
    body: { driverName: 'hold.harbor.example', parameters: { speed: 'slow' } },
  },
  'storagemigration.k8s.io/storageversionmigrations': {
    body: { spec: { resource: { group: 'apps', resource: 'deployments' } } },
  },
};
