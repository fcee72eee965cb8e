import { inNamespace, scenario, type Step } from '../scenario.ts';
import { apply, configMap } from './apply-step.ts';

const space = '/api/v1/namespaces/diff-convert';
const configMaps = `${space}/configmaps/a`;
const deployments = '/apis/apps/v1/namespaces/diff-convert/deployments/d';
const secrets = `${space}/secrets/s`;
const services = `${space}/services/s`;
const forced = 'one&force=true';

const template = (container: object = {}): object => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'x', ...container }] },
});

function deployment(spec: object, metadata: object = {}): object {
  const base = { selector: { matchLabels: { a: 'b' } }, template: template() };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', ...metadata },
    spec: { ...base, ...spec },
  };
}

const secret = (data: object): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data });
const service = (port: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { ports: [port] },
});

/** Replicas in different spellings. */
const replicas = (name: string, text: string): Step =>
  apply(
    name,
    deployments,
    JSON.stringify(deployment({ replicas: 7 })).replace('"replicas":7', `"replicas":${text}`),
    forced,
  );

const surge = (name: string, maxSurge: unknown): Step =>
  apply(name, deployments, deployment({ strategy: { rollingUpdate: { maxSurge } } }), forced);
const cpu = (name: string, value: unknown): Step =>
  apply(name, deployments, deployment({ template: template({ resources: { limits: { cpu: value } } }) }), forced);
const user = (name: string, runAsUser: number): Step =>
  apply(name, deployments, deployment({ template: template({ securityContext: { runAsUser } }) }), forced);
const created = (name: string, creationTimestamp: unknown): Step =>
  apply(name, deployments, deployment({}, { creationTimestamp }), forced);
const generation = (name: string, text: string): Step =>
  apply(name, configMaps, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, generation: ${text}}\n`);

/** Values that merge schemas accept and types do not. */
const valueSteps: readonly Step[] = [
  replicas('a fraction', '1.5'),
  replicas('a whole number with a point', '2.0'),
  replicas('a whole number with an exponent', '2e0'),
  replicas('beyond 32 bits', '3000000000'),
  replicas('beyond 64 bits', '99999999999999999999'),
  user('64 bits', 99_999_999_999_999),
  user('a fraction for 64 bits', 1.25),
  cpu('no quantity', 'abc'),
  cpu('a number for a quantity', 1.5),
  cpu('a boolean for a quantity', true),
  created('no time', 'x'),
  created('a number for a time', 1),
  surge('a fraction for either', 1.5),
  surge('a boolean for either', true),
  surge('either, beyond 32 bits', 3_000_000_000),
  apply('no base64', secrets, secret({ a: '!!' })),
  apply('a number for bytes', secrets, secret({ a: 1 })),
  apply('a port beyond 32 bits', services, service({ port: 3_000_000_000 })),
  apply('a fraction of a port', services, service({ port: 80.5 })),
  apply('a fraction of a target', services, service({ port: 80, targetPort: 80.5 })),
  apply(
    'no time in a status',
    `${deployments}/status`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      status: { conditions: [{ type: 'X', status: 'True', lastUpdateTime: 'yesterday' }] },
    },
    forced,
  ),
  apply(
    'a fraction in a scale',
    `${deployments}/scale`,
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 1.5 } },
    forced,
  ),
  generation('a generation beyond 64 bits', '99999999999999999999'),
  generation('a generation that is unsigned', '10000000000000000000'),
  generation('a fraction of a generation', '1.5'),
];

const mebibyte = 1024 * 1024;
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const aliases = Array.from({ length: 8 }, (_, i) => `x${i + 1}: &x${i + 1} [${Array(10).fill(`*x${i}`).join(',')}]\n`);

/** Bodies over a limit. */
const sizeSteps: readonly Step[] = [
  apply('a body too large', configMaps, configMap({ a: 'x'.repeat(3 * mebibyte) })),
  apply('a comment too large', configMaps, `# ${'x'.repeat(3 * mebibyte)}`),
  apply('too much data', configMaps, configMap({ a: 'x'.repeat(mebibyte), b: 'x' })),
  apply('an annotation too large', configMaps, configMap({}, { annotations: { a: 'x'.repeat(262_145) } })),
  apply('too many aliases', configMaps, `${head}x0: &x0 [a,a,a,a,a,a,a,a,a,a]\n${aliases.join('')}`),
  apply(
    'too deep as JSON',
    configMaps,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  ),
  apply('too deep', configMaps, `${head}data: ${'['.repeat(11_000)}${']'.repeat(11_000)}\n`),
  apply('a mark of the byte order', configMaps, `\ufeff${JSON.stringify(configMap({ a: '1' }))}`),
  apply('a zero', configMaps, 'apiVersion: v1\u0000'),
  apply(
    'lines of DOS',
    configMaps,
    'apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\ndata: {a: "2"}\r\n',
    forced,
  ),
  apply('a merge key', configMaps, `${head}data:\n  <<: {q: w}\n  a: "3"\n`, forced),
  apply(
    'a date that is a text',
    configMaps,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {t: 2020-01-01}}\n',
    forced,
  ),
];

/** Applied values that do not fit, and oversized bodies. */
export const applyConversions = scenario('apply-conversions', [
  inNamespace('diff-convert'),
  ...valueSteps,
  ...sizeSteps,
]);
