import { define, definitionsPath, undefine } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, patch } from '../steps.ts';

const custom = {
  group: 'etags.example.com',
  plural: 'stamps',
  kind: 'Stamp',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
} as const;
/** The bodies are large, and their descriptions our own: only heads and small documents are compared. */
const head = (
  name: string,
  path: string,
  headers: { readonly [name: string]: string } = {},
  accept = 'application/json',
): Step => ({ name, method: 'HEAD', path, headers, accept });
const accepts: { readonly [name: string]: string } = {
  JSON: 'application/json',
  'old protobuf': 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'old protobuf of v3': 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  protobuf: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'protobuf of v3': 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  text: 'text/plain',
  anything: '*/*',
  YAML: 'application/yaml',
};
const documents: { readonly [name: string]: string } = {
  v2: '/openapi/v2',
  'v3 of a group': '/openapi/v3/apis/apps/v1',
  'v3 of core': '/openapi/v3/api/v1',
  'v3 of a definition': '/openapi/v3/apis/etags.example.com/v1',
  'v3 of none': '/openapi/v3/apis/nope.example.com/v1',
  'v3 with a hash': '/openapi/v3/apis/apps/v1?hash=X',
  index: '/openapi/v3',
  'v2 of old': '/swagger.json',
  'discovery of all': '/apis',
  'discovery of core': '/api',
};

const matches: { readonly [name: string]: { readonly [header: string]: string } } = {
  'another tag': { 'if-none-match': '"x"' },
  'a star': { 'if-none-match': '*' },
  'a list of tags': { 'if-none-match': '"x", W/"y"' },
  'a date': { 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
  gzip: { 'accept-encoding': 'gzip' },
};
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Reports: kubectl and client-go that fetch OpenAPI and discovery again, or never again. */
export const openapiEtags = script(
  'openapi-etags',
  define(custom),
  head('the index', '/openapi/v3'),
  get('its document is there', '/openapi/v3/apis/etags.example.com/v1', { until: 'Stamp' }),
  forEach(documents, (path, name) => [
    ...forEach(accepts, (accept, form) => head(`${name} as ${form}`, path, {}, accept)),
    ...forEach(matches, (headers, how) => head(`${name} with ${how}`, path, headers)),
  ]),
  forEach({ 'of all': '/apis', 'of core': '/api' }, (path, name) => [
    head(`aggregated discovery ${name}`, path, {}, aggregated),
    head(`aggregated discovery ${name}, v2beta1`, path, {}, aggregated.replace('v=v2', 'v=v2beta1')),
    head(`aggregated discovery ${name}, without peers`, path, {}, `${aggregated};profile=nopeer`),
    head(
      `aggregated discovery ${name} in protobuf`,
      path,
      {},
      aggregated.replace('application/json', 'application/vnd.kubernetes.protobuf'),
    ),
  ]),
  patch('the definition changes', 'merge', `${definitionsPath}/stamps.etags.example.com`, {
    spec: {
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { a: { type: 'string' }, changed: { type: 'string' } } },
              },
            },
          },
        },
      ],
    },
  }),
  get('its document has changed', '/openapi/v3/apis/etags.example.com/v1', { until: 'changed' }),
  undefine(custom),
  get('its document is gone', '/openapi/v3/apis/etags.example.com/v1', { until: 'not found' }),
);
