import { inNamespace, patch, post, scenario, type Step } from '../scenario.ts';

const pods = '/api/v1/namespaces/diff-preparation/pods?dryRun=All';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/c';

const stored = '/api/v1/namespaces/diff-preparation/pods';

function resize(name: string, spec: object): Step {
  return patch(name, `${stored}/r/resize`, { type: 'merge', body: { spec } });
}

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly container?: object;
}

function pod(name: string, { metadata, spec, container }: Parts): Step {
  const containers = [{ name: 'c', image: 'i', ...container }];
  return post(name, pods, { metadata: { name: 'p', ...metadata }, spec: { containers, ...spec } });
}

const labels = { app: 'a', pod: 'b' };
const term = (rest: object): object => ({ topologyKey: 'k', labelSelector: { matchLabels: { x: 'y' } }, ...rest });
const keys = { matchLabelKeys: ['app', 'none'], mismatchLabelKeys: ['pod'] };

function annotated(profile: string): object {
  return { annotations: { [appArmor]: profile } };
}

function sized(pod_: object, container?: object): Parts {
  return { spec: { resources: pod_ }, ...(container && { container: { resources: container } }) };
}

/** Changes to pods before they are stored. */
export const podPreparation = scenario('pod-preparation', [
  inNamespace('diff-preparation'),
  pod('label keys of affinity', {
    metadata: { labels },
    spec: {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(keys)] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term(keys) }],
        },
      },
    },
  }),
  pod('label keys without a selector', {
    metadata: { labels },
    spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k' }] } } },
  }),
  pod('label keys of spreading', {
    metadata: { labels },
    spec: {
      topologySpreadConstraints: [
        term({ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app', 'pod', 'none'] }),
      ],
    },
  }),
  pod('a profile in an annotation', { metadata: annotated('localhost/p') }),
  pod('a default profile in an annotation', { metadata: annotated('runtime/default') }),
  pod('a profile that is none', { metadata: annotated('other') }),
  pod('a profile in an annotation and in a field', {
    metadata: annotated('unconfined'),
    container: { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
  }),
  pod('a profile that the pod has too', {
    metadata: annotated('runtime/default'),
    spec: { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
  }),
  pod('limits of the pod', sized({ limits: { cpu: '1', memory: '1Gi' } })),
  pod(
    'limits of the pod and requests of its container',
    sized({ limits: { cpu: '1' } }, { requests: { cpu: '100m' } }),
  ),
  pod('requests of the pod', sized({ requests: { memory: '1Gi' } })),
  pod(
    'requests of the pod and limits of its container',
    sized({ requests: { memory: '1Gi', cpu: '1' } }, { limits: { memory: '2Gi' } }),
  ),
  pod('huge pages of a container', {
    spec: { resources: { requests: { memory: '1Gi' } } },
    container: { resources: { limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' } } },
  }),
  pod('nothing of the pod', sized({ limits: {} }, { limits: { cpu: '1' } })),
  post('a pod to resize', stored, {
    metadata: { name: 'r' },
    spec: {
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }],
      resources: { limits: { cpu: '1' } },
    },
  }),
  resize('resize the limits of the pod', { resources: { limits: { cpu: '2', memory: '1Gi' } } }),
  resize('resize the requests of the pod', { resources: { requests: { cpu: '500m' } } }),
  resize('resize the container', {
    containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '200m', memory: '1Mi' } } }],
  }),
]);
