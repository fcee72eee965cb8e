import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, type Request } from '../../api-client.ts';

const ruled = (rule: string): object => ({ 'x-kubernetes-validations': [{ rule }] });
const text = { type: 'string', maxLength: 10 };
const entry = { type: 'object', ...ruled('self.a != "b"'), required: ['a'], properties: { a: text } };
const spec = {
  type: 'object',
  ...ruled('self.n >= 0'),
  properties: {
    n: { type: 'integer', ...ruled('self < 100') },
    plain: { type: 'string' },
    nothing: { ...text, nullable: true, ...ruled('self != "x"') },
    list: { type: 'array', maxItems: 5, items: entry },
    map: { type: 'object', maxProperties: 5, additionalProperties: { ...text, ...ruled('self != "q"') } },
    preset: { type: 'integer', default: 3, ...ruled('self > 0') },
  },
};
const status = { type: 'object', properties: { s: { ...text, ...ruled('self != "bad"') } } };
const definition = {
  metadata: { name: 'ruleds.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'ruleds', singular: 'ruled', kind: 'Ruled', listKind: 'RuledList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
      },
    ],
  },
};

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const instances = '/apis/example.com/v1/namespaces/default/ruleds';
const instance = (name: string, given?: object): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Ruled',
  metadata: { name },
  ...(given === undefined ? {} : { spec: given }),
});
const merge = (body: object): Request => ({ contentType: 'application/merge-patch+json', body });
const applied: Request = { contentType: 'application/apply-patch+yaml', body: instance('applied', { n: 1 }) };
const large = { n: 1, nothing: null, plain: 'x', list: [{ a: 'x' }, { a: 'y' }], map: { a: 'b', c: 'd' } };

const steps: readonly (readonly [method: string, path: string, request?: Request])[] = [
  ['POST', instances, { body: instance('small', { n: 1 }) }],
  ['POST', instances, { body: instance('large', large) }],
  ['POST', instances, { body: instance('wrong', { n: 1000, list: [{ a: 'b' }] }) }],
  ['POST', instances, { body: instance('blocked', { n: 'x' }) }],
  ['POST', instances, { body: instance('empty') }],
  ['POST', `${instances}?dryRun=All`, { body: instance('dry', { n: 1 }) }],
  ['PATCH', `${instances}/large`, merge({ spec: { n: 2 } })],
  ['PATCH', `${instances}/large`, merge({ spec: { n: 2 } })],
  ['PATCH', `${instances}/large`, merge({ metadata: { labels: { a: 'b' } } })],
  ['PATCH', `${instances}/large/status`, merge({ status: { s: 'good' } })],
  ['PATCH', `${instances}/large/status`, merge({ status: { s: 'bad' } })],
  ['PATCH', `${instances}/applied?fieldManager=m`, applied],
  ['PATCH', `${instances}/applied?fieldManager=m`, applied],
  ['GET', `${instances}/large`],
  ['DELETE', `${instances}/large`],
];

/** Writes a definition with rules and its instances to any server; how often rules are compiled and evaluated. */
export async function playRules(server: { readonly url: string; readonly kubeconfigPath: string }) {
  using client = await ApiClient.connect(server);
  const counts = async () => {
    const metrics = await client.text('/metrics');
    const countOf = (name: string): number =>
      Number(new RegExp(`^apiserver_cel_${name}_duration_seconds_count (\\d+)$`, 'm').exec(metrics)?.[1]);
    return { compilations: countOf('compilation'), evaluations: countOf('evaluation') };
  };
  const first = await counts();
  const created = await client.send('POST', definitions, { body: definition });
  const ofDefinition = await counts();
  while ((await client.exchange('GET', instances, {})).code !== 200) await sleep(50); // oxlint-disable-line no-await-in-loop -- polling
  const evaluations: string[] = [];
  let before = ofDefinition.evaluations;
  for (const [method, path, request = {}] of steps) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    const { code } = await client.exchange(method, path, request);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const now = (await counts()).evaluations;
    evaluations.push(`${method} ${path} ${code}: ${now - before}`);
    before = now;
  }
  const compiled = await counts();
  const labelled = merge({ metadata: { labels: { a: 'b' } } });
  await client.send('PATCH', `${definitions}/ruleds.example.com`, labelled);
  const changed = await counts();
  return {
    first,
    definition: { code: created.code, ...ofDefinition },
    evaluations,
    /** Compilations after a change to the definition that leaves its rules as they are. */
    recompilations: changed.compilations - compiled.compilations,
    buckets: [
      ...(await client.text('/metrics')).matchAll(/^apiserver_cel_evaluation_duration_seconds_bucket\{le="(.*)"\}/gm),
    ].map(([, bound]) => bound),
  };
}
