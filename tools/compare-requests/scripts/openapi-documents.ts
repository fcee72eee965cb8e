import { define, definitionsPath, schema, undefine } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, patch } from '../steps.ts';

const group = 'openapi-documents.example.com';
const one = {
  group,
  plural: 'pages',
  kind: 'Page',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
} as const;
const other = { ...one, plural: 'sheets', kind: 'Sheet', scope: 'Cluster' } as const;
const document = `/openapi/v3/apis/${group}/v1`;

const v2Types = ['v2@v1.0+protobuf', 'v2.v1.0+protobuf'].map(
  (type) => `application/com.github.proto-openapi.spec.${type}`,
);
const v3Types = ['v3@v1.0+protobuf', 'v3.v1.0+protobuf'].map(
  (type) => `application/com.github.proto-openapi.spec.${type}`,
);
const accepts: readonly string[] = [
  'application/json',
  '*/*',
  'application/*',
  'text/*',
  'text/plain',
  'application/yaml',
  'application/cbor',
  'application/vnd.kubernetes.protobuf',
  'application/json;q=0',
  '*/*;q=0',
  'application/json, */*;q=0.1',
  'application/json;charset=utf-8',
  'application/json;profile=x',
  'application',
  '',
  'application/json;;',
  'x/y',
  'text/html, application/json;q=0.9',
  'application/json;q=2',
  'application/json;q=x',
  ...v2Types,
  ...v3Types,
  ...v2Types.map((type) => `application/json;q=0.1, ${type}`),
  ...v3Types.map((type) => `${type};q=0.5, application/json`),
];
const documents: readonly string[] = [
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/batch/v1',
  '/openapi/v3/version',
  '/openapi/v3/apis',
  '/openapi/v3/api',
  '/openapi/v3/apis/apps',
  document,
];
const roots: readonly string[] = [
  '/openapi',
  '/openapi/',
  '/openapi/v1',
  '/openapi/v2/',
  '/openapi/v2/x',
  '/openapi/v3/',
  '/openapi/v3/api/v1/',
  '/openapi/v3//api/v1',
  '/openapi/v3/api/v2',
  '/openapi/v3/apis/nope/v1',
  '/openapi/v3/apis/apps/v1/',
  '/openapi/v4',
  '/openapi/v3/logs',
  '/openapi/v3/.well-known/openid-configuration',
  '/openapi/v3/openid/v1/jwks',
  '/swagger.json',
  '/swagger-2.0.0.json',
  '/swagger-2.0.0.pb-v1',
  '/openapi/v3/apis/apps/v1/deployments',
];

const head = (name: string, path: string, headers: Step['headers'] = {}, accept = 'application/json'): Step => ({
  name,
  method: 'HEAD',
  path,
  headers: headers ?? {},
  accept,
});

/** What clients that have a document send to get it only if it has changed. */
const conditions = (path: string): { readonly [name: string]: { readonly [header: string]: string } } => {
  const tag = `{{tag of ${path}|etag}}`;
  return {
    'its tag': { 'if-none-match': tag },
    'its tag, weakly': { 'if-none-match': `W/${tag}` },
    'its tag among others': { 'if-none-match': `"x", ${tag}` },
    'its tag without quotes': { 'if-none-match': `{{tag of ${path}|etag.bare}}` },
    'its tag and a date': { 'if-none-match': tag, 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    'its tag to match': { 'if-match': tag },
    'another tag to match': { 'if-match': '"x"' },
    'a future date': { 'if-modified-since': 'Mon, 01 Jan 2999 00:00:00 GMT' },
    'an old date to match': { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    'a range': { range: 'bytes=0-9' },
    'a range of its tag': { range: 'bytes=0-9', 'if-range': tag },
    'a star': { 'if-none-match': '*' },
    'an empty tag': { 'if-none-match': '' },
    gzip: { 'accept-encoding': 'gzip' },
    'gzip and its tag': { 'accept-encoding': 'gzip', 'if-none-match': tag },
    brotli: { 'accept-encoding': 'br' },
  };
};

const hashes: readonly string[] = [
  '',
  '?hash',
  '?hash=',
  '?hash=X',
  '?hash=x&hash=y',
  '?Hash=X',
  '?hash=%00',
  '?hash=X&x=y',
  '?timeout=32s',
  '?pretty=true',
];

function documentSteps(path: string): readonly Step[] {
  return [
    head(`tag of ${path}`, path),
    ...accepts.map((accept) => head(`${path} as ${JSON.stringify(accept)}`, path, {}, accept)),
    ...forEach(conditions(path), (headers, name) => head(`${path} with ${name}`, path, headers)),
    ...hashes.map((query) => head(`${path}${query}`, `${path}${query}`)),
  ];
}

/** The tag of a document tells whether it has changed. */
const isSame = (when: string, path: string): Step =>
  head(`${when}: ${path} with its former tag`, path, { 'if-none-match': `{{tag of ${path}|etag}}` });
/** Not the documents of all groups: other scripts change them. */
const watched: readonly string[] = ['/openapi/v3/apis/batch/v1', document];
const after = (when: string): readonly Step[] => watched.map((path) => isSame(when, path));

const changed = (a: object): object => ({
  spec: {
    versions: [
      { name: 'v1', served: true, storage: true, schema: schema({ spec: { type: 'object', properties: { a } } }) },
    ],
  },
});

/** Reports: clients that keep documents, and are told that they have not changed, or all of them again. */
export const openapiDocuments = script(
  'openapi-documents',
  define(one),
  get('its document is there', document, { until: 'Page' }),
  get('the older one as well', '/openapi/v2', { method: 'HEAD', settles: 'slowly' }),
  documents.flatMap(documentSteps),
  roots.flatMap((path) => [head(`HEAD ${path}`, path), head(`HEAD ${path} for anything`, path, {}, '*/*')]),
  get('a group without documents', '/openapi/v3/apis/nope/v1'),
  after('before'),
  patch(
    'a description',
    'merge',
    `${definitionsPath}/pages.${group}`,
    changed({ type: 'string', description: 'text-1' }),
  ),
  get('it is described', document, { until: 'text-1', settles: 'slowly' }),
  after('a description'),
  patch(
    'a label',
    'merge',
    `${definitionsPath}/pages.${group}`,
    { metadata: { labels: { a: 'b' } } },
    { settles: 'slowly' },
  ),
  after('a label'),
  define(other),
  get('the other is there', document, { until: 'Sheet', settles: 'slowly' }),
  after('another definition'),
  undefine(other),
  undefine(one),
  get('its document is gone', document, { until: 'not found', settles: 'slowly' }),
  after('in the end'),
);
