import { deployment, instance, places, pod, podSpec } from '../objects.ts';
import { define } from '../definitions.ts';
import { script } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, protobufType, put } from '../steps.ts';

const space = 'amounts';
const pods = places.pods(space);
const deployments = places.deployments(space);
const quotas = `/api/v1/namespaces/${space}/resourcequotas`;
const custom = {
  group: 'amounts.example.com',
  plural: 'sizes',
  kind: 'Size',
  properties: {
    spec: {
      type: 'object',
      properties: {
        q: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+m?$' },
        n: { type: 'number' },
        s: { type: 'string', format: 'quantity' },
      },
    },
  },
} as const;
const sizes = places.custom(custom.group, custom.plural, space);

const amounts: { readonly [name: string]: unknown } = {
  one: '1',
  'a number': 1,
  'a fraction': 0.1,
  'a fraction as a text': '0.1',
  'a small fraction': '0.0001',
  thousandths: '100m',
  'many thousandths': '1500m',
  'thousandths that are whole': '1000m',
  millionths: '1u',
  billionths: '1n',
  'fractions of them': '0.5n',
  kilo: '1k',
  Kilo: '1K',
  kibi: '1Ki',
  'odd kibi': '1.5Ki',
  mebi: '1024Mi',
  exa: '1E',
  exbi: '8Ei',
  'beyond exbi': '9999Ei',
  'an exponent': '1e3',
  'an upper exponent': '1E3',
  'a negative exponent': '1e-3',
  'an exponent too far': '1e100',
  negative: '-1',
  plus: '+1',
  'leading zeros': '0001',
  'a trailing point': '1.',
  'a leading point': '.5',
  zero: '0',
  'zero of a unit': '0Ki',
  'many digits': '1.23456789012345678901',
  'a large number': 12_345_678_901_234,
  empty: '',
  'a blank': '1 Gi',
  'a wrong unit': '1GB',
  'a word': 'abc',
  null: null,
  true: true,
};

const limits = (amount: unknown): object => ({ resources: { limits: { cpu: amount, memory: amount } } });
const templated = (container: object): object => ({
  template: { metadata: { labels: { app: 'x' } }, spec: podSpec(container) },
});

/** Reports: quantities that come back in another form, or fail in one format only. */
export const quantities = script(
  'quantities',
  inNamespace(space),
  define(custom),
  post('a deployment', deployments, deployment('a', templated(limits('1')))),
  forEach(amounts, (amount, name) => [
    post(`post a pod: ${name}`, `${pods}?dryRun=All`, pod('a', limits(amount))),
    apply(
      `apply a deployment: ${name}`,
      `${deployments}/b`,
      deployment('b', templated(limits(amount))),
      'one&force=true',
    ),
    patch(`strategic patch: ${name}`, 'strategic', `${deployments}/a`, { spec: templated(limits(amount)) }),
    put(`put a quota: ${name}`, `${quotas}/a?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a' },
      spec: { hard: { 'limits.cpu': amount } },
    }),
    post(`post a quota: ${name}`, `${quotas}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'b' },
      spec: { hard: { pods: amount, 'requests.storage': amount } },
    }),
    post(`post a size: ${name}`, `${sizes}?dryRun=All`, instance(custom, 'a', { spec: { q: amount } })),
    post(`a text: ${name}`, `${sizes}?dryRun=All`, instance(custom, 'a', { spec: { s: String(amount) } })),
  ]),
  get('the deployments as protobuf', deployments, { accept: protobufType }),
  apply(
    'equal in another form',
    `${deployments}/a`,
    deployment('a', templated({ resources: { limits: { cpu: '1000m', memory: '1024Mi' } } })),
    'one&force=true',
  ),
  apply(
    'equal again',
    `${deployments}/a`,
    deployment('a', templated({ resources: { limits: { cpu: 1, memory: '1Gi' } } })),
    'one&force=true',
  ),
  apply(
    'equal by another',
    `${deployments}/a`,
    deployment('a', templated({ resources: { limits: { cpu: '1', memory: '1048576Ki' } } })),
    'two',
  ),
  put(
    'equal in a PUT',
    `${deployments}/a`,
    deployment('a', templated({ resources: { limits: { cpu: '1.0', memory: '1073741824' } } })),
  ),
  post('in protobuf', deployments, deployment('p', templated(limits('1500m'))), { form: 'protobuf' }),
  post(
    'requests over limits',
    `${pods}?dryRun=All`,
    pod('a', { resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
  ),
  post(
    'fractions of huge pages',
    `${pods}?dryRun=All`,
    pod('a', { resources: { limits: { 'hugepages-2Mi': '1.5Mi', cpu: '1', memory: '1' } } }),
  ),
  post(
    'fractions of a device',
    `${pods}?dryRun=All`,
    pod('a', { resources: { limits: { 'example.com/gpu': '0.5' } } }),
  ),
  post('requests of a device', `${pods}?dryRun=All`, pod('a', { resources: { requests: { 'example.com/gpu': '1' } } })),
);
