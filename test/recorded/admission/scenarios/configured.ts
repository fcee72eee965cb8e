import { fileURLToPath } from 'node:url';
import { configDefaults } from '../../../../src/server/config.ts';
import { get, inNamespace, patch, post, scenario, type Step } from '../../differential/scenario.ts';
import type { Suite } from '../suite.ts';

const configFile = fileURLToPath(new URL('../admission-configuration.yaml', import.meta.url));
const enablePlugins = ['EventRateLimit', 'PodNodeSelector', 'PodTolerationRestriction', 'NamespaceAutoProvision'];

const root = (namespace: string): string => `/api/v1/namespaces/${namespace}`;

function namespace(name: string, annotations: object = {}, labels: object = {}): Step {
  return post(`namespace ${name}`, '/api/v1/namespaces', { metadata: { name, annotations, labels } });
}

function pod(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

function makePod(what: string, at: string, spec: object = {}, headers: Step['headers'] = {}): Step {
  return post(what, `${root(at)}/pods`, pod(what.replaceAll(/[^a-z0-9]/g, '-'), spec), { headers });
}

function event(name: string, at: string, component: string): Step {
  return post(`event ${name} in ${at}`, `${root(at)}/events`, {
    metadata: { name },
    involvedObject: { namespace: at, name: 'o', kind: 'Pod' },
    source: { component },
  });
}

const selector = 'scheduler.alpha.kubernetes.io/node-selector';
const tolerations = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const whitelist = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const asTrusted = { 'impersonate-user': 'trusted', 'impersonate-group': 'system:masters' };

const selecting: readonly Step[] = [
  inNamespace('plain'),
  namespace('annotated', { [selector]: 'env=dev, disk=hdd' }),
  namespace('listed', { [selector]: 'disk=ssd' }),
  namespace('wrong'),
  namespace('unreadable', { [selector]: 'a' }),
  namespace('bad-key', { [selector]: '-a=b' }),
  namespace('bad-value', { [selector]: 'a=b c' }),
  makePod('default selector', 'plain'),
  makePod('own selector', 'plain', { nodeSelector: { disk: 'x' } }),
  makePod('another pool', 'plain', { nodeSelector: { pool: 'x' } }),
  makePod('annotated selector', 'annotated', { nodeSelector: { env: 'dev' } }),
  makePod('against the annotation', 'annotated', { nodeSelector: { env: 'prod' } }),
  makePod('listed', 'listed', { nodeSelector: { zone: 'a' } }),
  makePod('not listed', 'listed', { nodeSelector: { other: 'a' } }),
  makePod('wrong list', 'wrong'),
  makePod('unreadable', 'unreadable'),
  makePod('bad key', 'bad-key'),
  makePod('bad value', 'bad-value'),
  post('a generated name', `${root('plain')}/pods`, {
    metadata: { generateName: 'gen-' },
    spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { pool: 'x' } },
  }),
];

const tolerating: readonly Step[] = [
  namespace('tolerant', {
    [tolerations]: JSON.stringify([{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }]),
    [whitelist]: '',
  }),
  namespace('strict', {
    [whitelist]: JSON.stringify([
      { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'by-default', operator: 'Exists' },
    ]),
  }),
  namespace('empty', { [tolerations]: '' }),
  namespace('broken', { [tolerations]: '{' }),
  namespace('mistyped', { [whitelist]: '"x"' }),
  makePod('cluster tolerations', 'plain'),
  makePod('allowed', 'plain', {
    tolerations: [{ key: 'allowed', operator: 'Equal', value: 'a', effect: 'NoExecute', tolerationSeconds: 30 }],
  }),
  makePod('allowed too long', 'plain', {
    tolerations: [{ key: 'allowed', operator: 'Equal', value: 'a', effect: 'NoExecute' }],
  }),
  makePod('not allowed', 'plain', { tolerations: [{ key: 'x', operator: 'Exists' }] }),
  makePod('memory pressure', 'plain', {
    containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }],
  }),
  makePod('tolerations of the namespace', 'tolerant', { tolerations: [{ key: 'b', operator: 'Exists' }] }),
  makePod('strict', 'strict'),
  makePod('too strict', 'strict', { tolerations: [{ key: 'x', operator: 'Exists', effect: 'NoSchedule' }] }),
  makePod('no tolerations', 'empty'),
  makePod('broken', 'broken'),
  makePod('mistyped', 'mistyped'),
  patch('a label of memory pressure', `${root('plain')}/pods/memory-pressure`, {
    type: 'merge',
    body: { metadata: { labels: { a: 'b' } } },
  }),
];

const claim = (name: string, storageClassName?: string): object => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...(storageClassName === undefined ? {} : { storageClassName }),
  },
});
const claims = `${root('plain')}/persistentvolumeclaims`;

const limiting: readonly Step[] = [
  post('a costly class', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'costly' }, value: 9 }),
  makePod('costly', 'plain', { priorityClassName: 'costly' }),
  post('a quota of what is costly', `${root('plain')}/resourcequotas`, {
    metadata: { name: 'costly' },
    spec: {
      hard: { pods: '1' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['costly'] }] },
    },
  }),
  get(`${root('plain')}/resourcequotas/costly`, { until: '"used":{' }),
  makePod('costly again', 'plain', { priorityClassName: 'costly' }),
  makePod('costly once more', 'plain', { priorityClassName: 'costly' }),
  post('a claim of no class', claims, claim('plain')),
  post('a claim of a class', claims, claim('gold', 'gold')),
  post('a quota of the class', `${root('plain')}/resourcequotas`, {
    metadata: { name: 'gold' },
    spec: { hard: { 'gold.storageclass.storage.k8s.io/requests.storage': '3Gi' } },
  }),
  get(`${root('plain')}/resourcequotas/gold`, { until: '"used":{' }),
  post('a covered claim of a class', claims, claim('gold', 'gold')),
];

const privileged = { hostNetwork: true };
const security = 'pod-security.kubernetes.io';
const securing: readonly Step[] = [
  namespace('exempt', {}, { [`${security}/enforce`]: 'restricted', [`${security}/audit-version`]: 'v1.20' }),
  namespace('lax', {}, { [`${security}/enforce`]: 'privileged', [`${security}/warn`]: 'privileged' }),
  makePod('host network', 'plain', privileged),
  makePod('host network of the exempt', 'exempt', privileged),
  makePod('host network of the lax', 'lax', privileged),
  makePod('host network of the trusted', 'plain', privileged, asTrusted),
  post('a sandbox', '/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'sandbox' }, handler: 'h' }),
  makePod('host network in a sandbox', 'plain', { ...privileged, runtimeClassName: 'sandbox' }),
  patch('stricter than the default', `${root('plain')}`, {
    type: 'merge',
    body: { metadata: { labels: { [`${security}/enforce`]: 'restricted' } } },
  }),
  patch('stricter for nobody', `${root('exempt')}`, {
    type: 'merge',
    body: { metadata: { labels: { [`${security}/enforce`]: 'baseline', [`${security}/enforce-version`]: 'v1.20' } } },
  }),
  patch('unreadable', `${root('plain')}`, {
    type: 'merge',
    body: { metadata: { labels: { [`${security}/enforce`]: 'x', [`${security}/warn-version`]: '1.20' } } },
  }),
];

/** Plugins that read a configuration, and one that makes namespaces. */
export const configured: Suite = {
  scenario: scenario('configured', [
    ...selecting,
    ...tolerating,
    ...limiting,
    ...securing,
    event('one', 'plain', 'a'),
    event('two', 'plain', 'a'),
    event('three', 'plain', 'b'),
    event('four', 'plain', 'c'),
    post('a dry run of an event', `${root('plain')}/events?dryRun=All`, {
      metadata: { name: 'dry' },
      involvedObject: { namespace: 'plain' },
    }),
    post('a namespace that is not there', `${root('made')}/configmaps`, { metadata: { name: 'one' } }),
    get(root('made')),
    post('a dry run in none', `${root('unmade')}/configmaps?dryRun=All`, { metadata: { name: 'one' } }),
  ]),
  config: {
    admission: { ...configDefaults.admission, enablePlugins, disablePlugins: ['ServiceAccount'], configFile },
  },
  flags: [`--enable-admission-plugins=${enablePlugins.join(',')}`, `--admission-control-config-file=${configFile}`],
  controllers: ['resourcequota-controller'],
};
