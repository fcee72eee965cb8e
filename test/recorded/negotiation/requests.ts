import type { RecordedRequest } from '../../recorded-requests.ts';

const configMaps = '/api/v1/namespaces/negotiation/configmaps';
const deployments = '/apis/apps/v1/namespaces/negotiation/deployments';
const things = '/apis/negotiation.io/v1/namespaces/negotiation/things';
const watch = 'watch=1&timeoutSeconds=1&resourceVersion=0';

export const namespace = 'negotiation';

const thing = { apiVersion: 'negotiation.io/v1', kind: 'Thing', metadata: { name: 't', labels: { a: 'b' } }, spec: 1 };

/** Created up front, each when the one before is served. */
export const objects: readonly RecordedRequest[] = [
  {
    name: 'definition',
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: 'things.negotiation.io' },
      spec: {
        group: 'negotiation.io',
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Namespaced',
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    },
  },
  {
    name: 'configMap',
    method: 'POST',
    path: configMaps,
    body: { metadata: { name: 'a' }, data: { text: '<v>&\u2028' } },
  },
  {
    name: 'deployment',
    method: 'POST',
    path: deployments,
    body: {
      metadata: { name: 'd' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  },
  { name: 'thing', method: 'POST', path: things, body: thing },
];

function rows(method: string, paths: { readonly [name: string]: string }): RecordedRequest[] {
  return Object.entries(paths).map(([name, path]) => ({ name, method, path }));
}

/** Resources, non-resource paths and refusals, each sent with each of `accepts`. */
export const requests: readonly RecordedRequest[] = [
  ...rows('GET', {
    object: `${configMaps}/a`,
    objectForPeople: `${configMaps}/a?pretty=true`,
    objectForProgram: `${configMaps}/a?pretty=garbage`,
    otherVersion: `${deployments}/d`,
    status: `${deployments}/d/status`,
    scale: `${deployments}/d/scale`,
    list: configMaps,
    page: `${configMaps}?limit=1`,
    emptyList: '/api/v1/namespaces/negotiation/secrets',
    watch: `${configMaps}?${watch}`,
    watchOfOne: `${configMaps}?${watch}&fieldSelector=metadata.name=a`,
    missing: `${configMaps}/missing`,
    badQuery: `${configMaps}?limit=x`,
    noResource: '/api/v1/nothing',
    noGroup: '/apis/nothing/v1',
    noPath: '/nothing',
    thing: `${things}/t`,
    thingStatus: `${things}/t/status`,
    thingList: things,
    thingWatch: `${things}?${watch}`,
    noThing: `${things}/missing`,
    coreVersions: '/api',
    groups: '/apis',
    group: '/apis/apps',
    groupVersion: '/apis/apps/v1',
    coreVersion: '/api/v1',
    groupsSlash: '/apis/',
    groupVersionSlash: '/apis/apps/v1/',
    noCoreVersion: '/api/v9',
    noGroupVersion: '/apis/apps/v9',
    aggregatorGroup: '/apis/apiregistration.k8s.io',
    customGroup: '/apis/negotiation.io',
    customVersion: '/apis/negotiation.io/v1',
    noCustomVersion: '/apis/negotiation.io/v9',
    healthSlash: '/healthz/',
    statusz: '/statusz',
    flagz: '/flagz',
    openApiV2: '/openapi/v2',
    openApiV3: '/openapi/v3',
    openApiV3Group: '/openapi/v3/apis/apps/v1',
    openApiV3Nothing: '/openapi/v3/apis/nothing/v1',
    version: '/version',
    health: '/healthz',
    check: '/livez/ping',
    metrics: '/metrics',
    root: '/',
  }),
  ...rows('HEAD', {
    headObject: `${configMaps}/a`,
    headList: configMaps,
    headDiscovery: '/api',
    headHealth: '/healthz',
    headVersion: '/version',
    headOpenApiV3: '/openapi/v3/apis/apps/v1',
  }),
  ...rows('HEAD', { headGroups: '/apis', headGroup: '/apis/apps', headVersionOfGroup: '/apis/apps/v1' }),
  ...rows('PUT', { putGroups: '/apis', putGroup: '/apis/apps', putCustomVersion: '/apis/negotiation.io/v1' }),
  ...rows('PUT', { putVersion: '/apis/apps/v1', putNoVersion: '/apis/apps/v9', putNoGroup: '/apis/nothing' }),
  ...rows('OPTIONS', { optionsList: configMaps, optionsDiscovery: '/api', optionsHealth: '/healthz' }),
  { name: 'create', method: 'POST', path: `${configMaps}?dryRun=All`, body: { metadata: { name: 'n' } } },
  { name: 'conflict', method: 'POST', path: configMaps, body: { metadata: { name: 'a' } } },
  { name: 'invalid', method: 'POST', path: configMaps, body: { metadata: { name: 'A_' } } },
  { name: 'update', method: 'PUT', path: `${configMaps}/a?dryRun=All`, body: { metadata: { name: 'a' } } },
  { name: 'patch', method: 'PATCH', path: `${configMaps}/a?dryRun=All`, body: { data: { z: 'z' } } },
  { name: 'createThing', method: 'POST', path: `${things}?dryRun=All`, body: { ...thing, metadata: { name: 'n' } } },
  { name: 'patchThing', method: 'PATCH', path: `${things}/t?dryRun=All`, body: { spec: 2 } },
  { name: 'deleteThing', method: 'DELETE', path: `${things}/t?dryRun=All` },
  { name: 'deleteThings', method: 'DELETE', path: `${things}?dryRun=All` },
  { name: 'delete', method: 'DELETE', path: `${configMaps}/a?dryRun=All` },
  { name: 'deleteCollection', method: 'DELETE', path: `${configMaps}?dryRun=All` },
  {
    name: 'review',
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
  },
];

const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const meta = 'g=meta.k8s.io;v=v1';
const discovery = 'as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io';
const openApi = 'application/com.github.proto-openapi.spec';
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp';

/** Accept headers; undefined means none. */
export const accepts: readonly (string | undefined)[] = [
  ...[undefined, '', json, yaml, protobuf, 'application/cbor', 'text/plain', 'text/html', 'a/b'],
  ...['application/*;q=0.5', 'a/b,*/*;q=0.1', '*/*;q=0', `a/b,${'application/*'}`, '*/json'],
  ...['*/*', 'application/*', 'text/*', '*', 'application/JSON', 'APPLICATION/json'],
  ...['application', 'application/', '/json', 'application/json/x', ';'],
  ...[`${json};q=0`, `${json};q=0,${yaml}`, `${json};q=0.1,${yaml};q=0.9`, `${yaml};q=0.9,${json};q=0.1`],
  ...[`${json};q=2,${yaml}`, `${yaml};q=2,${json}`, `${json};q=bad,${yaml}`, `${json};q=-1,${yaml}`],
  ...[`${json};q=,${yaml}`, `${json}; q=0.5 , ${yaml}`, `${json};q=0.5,${protobuf};q=0.5`, `${protobuf},${json}`],
  ...[`*/*;q=0.1,${yaml}`, `application/*;q=0.9,${yaml};q=0.9`, 'text/*,application/*', `*/*,${yaml}`, `${yaml},*/*`],
  ...[
    `${browser},*/*;q=0.8`,
    browser,
    `${json};pretty=1`,
    `${json};pretty=0`,
    `${json};pretty=true`,
    `${json};PRETTY=1`,
  ],
  ...[`${yaml};pretty=1`, `${protobuf};pretty=1`, `${json}; pretty=1`, `${json};pretty=1=2`],
  ...[`${json};charset=utf-8`, `${yaml};charset=utf-8`, `${protobuf};type=x`],
  ...['watch', 'bad', ''].map((stream) => `${json};stream=${stream}`),
  ...[`${protobuf};stream=watch`, `${yaml};stream=watch`, `${json};sv=v1`, `${json};sv=`, `${json};export=1`],
  ...[`${json};as=Table;v=v1;g=meta.k8s.io`, `${json};as=Table;${meta},${json}`, `${json};as=Table;${meta}beta1`],
  ...[
    `${json};as=Table;g=meta.k8s.io;v=v2`,
    `${json};as=Table;g=meta.k8s.io;v=v2,${json}`,
    `${json};as=Table;g=x;v=v1`,
  ],
  ...[`${json};as=Table;v=v1`, `${json};as=Table`, `${json};as=table;${meta}`, `${json};as=;g=;v=`],
  ...[`${json};as=Nothing;${meta}`, `${json};as=Nothing;${meta},${json}`, `${yaml};as=Table;${meta}`],
  ...[`${protobuf};as=Table;${meta}`, `${protobuf};as=Table;${meta},${json};as=Table;${meta}`],
  ...[`${protobuf};as=Table;${meta},${json}`, `*/*;as=Table;${meta}`, `application/*;as=Table;${meta}`],
  ...[json, yaml, protobuf].flatMap((type) =>
    ['', 'List'].flatMap((list) =>
      ['', 'beta1'].map((beta) => `${type};as=PartialObjectMetadata${list};${meta}${beta}`),
    ),
  ),
  ...[`${json};as=PartialObjectMetadata;${meta};pretty=1`, `${json};${discovery}`, `${json},${json};${discovery}`],
  ...[`${json};${discovery.replace('v2', 'v2beta1')}`, `${json};${discovery},${json}`, `${protobuf};${discovery}`],
  ...[`${yaml};${discovery}`, `*/*;${discovery}`, `${json};${discovery.replace('v2', 'v1')}`],
  ...['2@', '2.', '3@', '3.'].map((version) => `${openApi}.v${version}v1.0+protobuf`),
];
