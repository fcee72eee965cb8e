import { namespace } from './bases.ts';
import type { WalkRequest } from './ways.ts';

// Names that every JavaScript object inherits in place of user-defined names, YAML keys that are not scalars, and deep
// nesting.

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const json = 'application/json';
const yaml = 'application/yaml';
const applyYaml = 'application/apply-patch+yaml';
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: odd\n';

function get(path: string): WalkRequest {
  return { method: 'GET', path, contentType: json, body: '' };
}

function create(contentType: string, body: string): WalkRequest {
  return { method: 'POST', path: `${configMaps}?dryRun=All`, contentType, body };
}

function apply(body: string): WalkRequest {
  const path = `${configMaps}/odd?dryRun=All&fieldManager=walker`;
  return { method: 'PATCH', path, contentType: applyYaml, body };
}

function change(contentType: string, body: string): WalkRequest {
  return { method: 'PATCH', path: `${configMaps}/kube-root?dryRun=All`, contentType, body };
}

const configMap = (fields: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kube-root"},${fields}}`;

const withName = (name: string): readonly WalkRequest[] => [
  get(`/api/${name}`),
  get(`/api/v1/${name}`),
  get(`/apis/${name}`),
  get(`/apis/${name}/v1`),
  get(`/apis/apps/${name}`),
  get(`/apis/apps/v1/${name}`),
  get(`/openapi/v3/${name}`),
  get(`/${name}`),
  get(`${configMaps}/${name}`),
  get(`/api/v1/namespaces/${name}/configmaps/x`),
  get(`/api/v1/namespaces/${name}`),
  get(`/api/v1/namespaces/default/services/kubernetes/${name}`),
  get(`${configMaps}?fieldSelector=${name}%3Dx`),
  get(`${configMaps}?fieldSelector=metadata.${name}%3Dx`),
  get(`/api/v1/pods?fieldSelector=${name}!%3Dx`),
  get(`${configMaps}?labelSelector=${name}%3Dx`),
  get(`${configMaps}?labelSelector=!${name}`),
  get(`${configMaps}?resourceVersionMatch=${name}&resourceVersion=1`),
  get(`${configMaps}?${name}=x`),
  { ...create(json, configMap(`"data":{"${name}":"x"}`)), path: `${configMaps}?dryRun=${name}` },
  { ...create(json, configMap(`"data":{"${name}":"x"}`)), path: `${configMaps}?dryRun=All&fieldManager=${name}` },
  { ...create(json, configMap(`"data":{"${name}":"x"}`)), path: `${configMaps}?dryRun=All&fieldValidation=${name}` },
  { ...create(json, configMap(`"${name}":{}`)), path: `${configMaps}?dryRun=All&fieldValidation=Strict` },
  create(json, `{"apiVersion":"v1","kind":"${name}","metadata":{"name":"x"}}`),
  create(json, `{"apiVersion":"${name}","kind":"ConfigMap","metadata":{"name":"x"}}`),
  create(json, configMap(`"data":{"${name}":"x"},"binaryData":{"${name}":"eA=="}`)),
  create(json, configMap(`"${name}":"x"`)),
  create(name, configMap('"data":{}')),
  create(yaml, `${head}data:\n  ${name}: x\n${name}: y\n`),
  create(yaml, `${head}data: {${name}: x, ${name}: y}\n`),
  apply(`${head}data:\n  ${name}: x\n${name}: y\n`),
  apply(`${head}data:\n  ${name}: x\n`),
  change('application/json-patch+json', `[{"op":"add","path":"/${name}","value":{"x":1}}]`),
  change('application/json-patch+json', `[{"op":"add","path":"/${name}/x","value":1}]`),
  change('application/json-patch+json', `[{"op":"add","path":"/data/${name}","value":"1"}]`),
  change('application/json-patch+json', `[{"op":"add","path":"/metadata/labels/${name}","value":"1"}]`),
  change('application/json-patch+json', `[{"op":"remove","path":"/${name}"}]`),
  change('application/json-patch+json', `[{"op":"test","path":"/${name}","value":null}]`),
  change('application/json-patch+json', `[{"op":"copy","from":"/${name}","path":"/data"}]`),
  change('application/json-patch+json', `[{"op":"move","from":"/data/${name}","path":"/data/x"}]`),
  change('application/json-patch+json', `[{"op":"${name}","path":"/data"}]`),
  change('application/json-patch+json', `[{"${name}":"x"}]`),
  change('application/merge-patch+json', `{"${name}":{"x":1}}`),
  change('application/merge-patch+json', `{"data":{"${name}":"x"},"metadata":{"labels":{"${name}":"x"}}}`),
  change('application/merge-patch+json', `{"data":{"${name}":null}}`),
  change('application/strategic-merge-patch+json', `{"${name}":{"x":1}}`),
  change('application/strategic-merge-patch+json', `{"data":{"${name}":"x"},"metadata":{"labels":{"${name}":"x"}}}`),
  change('application/strategic-merge-patch+json', `{"metadata":{"ownerReferences":[{"${name}":1}]}}`),
  change('application/strategic-merge-patch+json', `{"$${name}":"x","data":{"$patch":"${name}"}}`),
  { method: 'DELETE', path: `${configMaps}/${name}?propagationPolicy=${name}`, contentType: json, body: '' },
  { method: 'DELETE', path: `${configMaps}/kube-root`, contentType: json, body: `{"${name}":"x","dryRun":["All"]}` },
];

const oddKeys = [
  '? [a]\n: b\n',
  '? {a: b}\n: c\n',
  '[a]: b\n',
  '{a: b}: c\n',
  '[]: b\n',
  '{}: b\n',
  '? - a\n: b\n',
  '? a: b\n: c\n',
  '? \n: b\n',
  'null: b\n',
  '~: b\n',
  '1: b\n',
  '1.5: b\n',
  'true: b\n',
  '.nan: b\n',
  '2001-01-01: b\n',
  '? |\n  a\n: b\n',
  '!!binary YQ==: b\n',
  '!!map {}: b\n',
  '<<: b\n',
  '<<: [b]\n',
  '<<: {b: c}\n',
  '&a [b]: *a\n',
  '&a {b: c}: d\n',
];

const depths = [100, 1_000, 9_000, 9_999, 10_001, 20_000];

const deep = (depth: number): readonly WalkRequest[] => {
  const lists = '['.repeat(depth) + ']'.repeat(depth);
  const maps = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const items = `${'- '.repeat(depth)}a`;
  const keys = `${'['.repeat(depth)}a${']'.repeat(depth)}: b`;
  return [lists, maps].flatMap((nested) => [
    create(json, configMap(`"data":${nested}`)),
    create(json, configMap(`"x":${nested}`)),
    create(yaml, `${head}data: ${nested}\n`),
    create(yaml, `${head}x: ${nested}\n`),
    create(yaml, `${head}data:\n  ${items}\n`),
    create(yaml, `${head}? ${nested}\n: x\n`),
    create(yaml, `${head}${keys}\n`),
    apply(`${head}data: ${nested}\n`),
    apply(`${head}x: ${nested}\n`),
    apply(`${head}? ${nested}\n: x\n`),
    apply(configMap(`"data":${nested}`)),
    ...(isPatchable(depth) ? patchesWith(nested) : []),
  ]);
};

/** Depths in between are refused here; the reference accepts them, taking half a minute each. */
function isPatchable(depth: number): boolean {
  return depth <= 100 || depth > 10_000;
}

function patchesWith(nested: string): readonly WalkRequest[] {
  return [
    change('application/merge-patch+json', `{"data":${nested}}`),
    change('application/merge-patch+json', `{"x":${nested}}`),
    change('application/strategic-merge-patch+json', `{"data":${nested}}`),
    change('application/strategic-merge-patch+json', `{"x":${nested}}`),
    change('application/json-patch+json', `[{"op":"add","path":"/data","value":${nested}}]`),
    change('application/json-patch+json', `[{"op":"add","path":"/x","value":${nested}}]`),
  ];
}

/** Requests by key. */
export const oddRequests: ReadonlyMap<string, WalkRequest> = new Map(
  [
    ...inherited.flatMap(withName),
    ...oddKeys.flatMap((key) => [
      create(yaml, `${head}${key}`),
      create(yaml, `${head}data:\n  ${key.replaceAll('\n', '\n  ').trimEnd()}\n`),
      apply(`${head}${key}`),
      apply(`${head}data:\n  ${key.replaceAll('\n', '\n  ').trimEnd()}\n`),
    ]),
    ...depths.flatMap(deep),
  ].map((request) => [nameOf(request), request]),
);

function nameOf({ method, path, contentType, body }: WalkRequest): string {
  const shown = body.replaceAll(
    /((?:\[|\]|\{"a":|\}|- ))\1{20,}/g,
    (run, unit: string) => `${unit}*${run.length / unit.length}`,
  );
  return `${method} ${path} ${contentType} ${shown}`;
}
