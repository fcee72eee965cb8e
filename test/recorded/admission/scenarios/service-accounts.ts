import { configDefaults } from '../../../../src/server/config.ts';
import { get, inNamespace, patch, post, put, scenario, type Step } from '../../differential/scenario.ts';
import type { Suite } from '../suite.ts';

const namespace = 'accounts';
const root = `/api/v1/namespaces/${namespace}`;
const pods = `${root}/pods`;
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';

function account(name: string, rest: object = {}, annotations: object = {}): Step {
  return post(`account ${name}`, `${root}/serviceaccounts`, { metadata: { name, annotations }, ...rest });
}

function container(rest: object = {}): object {
  return { name: 'c', image: 'i', ...rest };
}

function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return { metadata: { name, ...metadata }, spec: { containers: [container()], ...spec } };
}

const secretVolume = { name: 'v', secret: { secretName: 'hidden' } };
const fromSecret = (name: string) => ({ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } });
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'm' } };
const strict = { serviceAccountName: 'strict' };

const debuggers = (name: string, more: object): Step => ({
  ...patch(`debug ${name}`, `${pods}/${name}/ephemeralcontainers`, {
    type: 'strategic',
    body: { spec: { ephemeralContainers: [{ name: 'd', image: 'i', ...more }] } },
  }),
});

/** The accounts of pods. */
export const serviceAccounts: Suite = {
  scenario: scenario('service-accounts', [
    inNamespace(namespace),
    post('no default account', pods, pod('none')),
    post('no such account', pods, pod('none', { serviceAccountName: 'nobody' })),
    account('default', { imagePullSecrets: [{ name: 'pull' }, { name: 'other' }] }),
    post('the default account', pods, pod('plain')),
    get(`${pods}/plain`),
    post('a name of its own', pods, pod('own-pull', { imagePullSecrets: [{ name: 'mine' }] })),
    post('no token', pods, pod('no-token', { automountServiceAccountToken: false })),
    post('init containers', pods, pod('init', { initContainers: [container({ name: 'i' })] })),
    post(
      'something in its place',
      pods,
      pod('placed', {
        containers: [container({ volumeMounts: [{ name: 'v', mountPath: tokenPath }] }), container({ name: 'd' })],
        volumes: [{ name: 'v', emptyDir: {} }],
      }),
    ),
    post(
      'everything in its place',
      pods,
      pod('all-placed', {
        containers: [container({ volumeMounts: [{ name: 'v', mountPath: tokenPath }] })],
        volumes: [{ name: 'v', emptyDir: {} }],
      }),
    ),
    post('a volume that is there', pods, pod('known', { volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] })),
    post('the old field', pods, pod('old-field', { serviceAccount: 'default' })),
    post('a dry run', `${pods}?dryRun=All`, pod('dry')),
    post('a generated name', pods, { metadata: { generateName: 'gen-' }, spec: { containers: [container()] } }),
    account('quiet', { automountServiceAccountToken: false }),
    post('an account without token', pods, pod('quiet', { serviceAccountName: 'quiet' })),
    post('a pod that wants it', pods, pod('loud', { serviceAccountName: 'quiet', automountServiceAccountToken: true })),

    account(
      'strict',
      { secrets: [{ name: 'shown' }], imagePullSecrets: [{ name: 'pull' }] },
      { 'kubernetes.io/enforce-mountable-secrets': 'true' },
    ),
    account('lax', {}, { 'kubernetes.io/enforce-mountable-secrets': 'no' }),
    post('nothing hidden', pods, pod('strict', strict)),
    post('a hidden volume', pods, pod('hidden', { ...strict, volumes: [secretVolume] })),
    post('a hidden volume of the lax', pods, pod('lax', { serviceAccountName: 'lax', volumes: [secretVolume] })),
    post(
      'a shown variable',
      pods,
      pod('shown', { ...strict, containers: [container({ env: [fromSecret('shown')] })] }),
    ),
    post('a hidden variable', pods, pod('hidden', { ...strict, containers: [container({ env: [fromSecret('x')] })] })),
    post(
      'hidden variables',
      pods,
      pod('hidden', { ...strict, containers: [container({ envFrom: [{ secretRef: { name: 'x' } }] })] }),
    ),
    post(
      'a hidden variable of an init container',
      pods,
      pod('hidden', { ...strict, initContainers: [container({ name: 'i', env: [fromSecret('x')] })] }),
    ),
    post(
      'hidden variables of an init container',
      pods,
      pod('hidden', {
        ...strict,
        initContainers: [container({ name: 'i', envFrom: [{ secretRef: { name: 'x' } }] })],
      }),
    ),
    post('a hidden secret to pull with', pods, pod('hidden', { ...strict, imagePullSecrets: [{ name: 'x' }] })),
    debuggers('strict', { env: [fromSecret('x')] }),
    debuggers('strict', { envFrom: [{ secretRef: { name: 'x' } }] }),
    debuggers('strict', { env: [fromSecret('shown')] }),
    debuggers('plain', { env: [fromSecret('x')] }),
    patch('a label', `${pods}/strict`, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),

    post('a mirror pod', pods, pod('mirror', {}, mirror)),
    post('a mirror pod with an account', pods, pod('mirror-too', { serviceAccountName: 'quiet' }, mirror)),
    post('a mirror pod with a secret', pods, pod('mirror-too', { volumes: [secretVolume] }, mirror)),
    post(
      'a mirror pod with a token',
      pods,
      pod(
        'mirror-too',
        { volumes: [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
        mirror,
      ),
    ),
    put('what is not there', `${pods}/put`, pod('put')),
    post('a deployment needs none', `/apis/apps/v1/namespaces/${namespace}/replicasets`, {
      metadata: { name: 'r' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { serviceAccountName: 'nobody', containers: [container()] },
        },
      },
    }),
  ]),
  config: { admission: { ...configDefaults.admission, enablePlugins: ['ServiceAccount'] } },
  flags: ['--enable-admission-plugins=ServiceAccount'],
};
