import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { changedServices } from './changed-services.ts';
import { type ExtensionServer, group, serviceName, serviceNamespace } from './extension-server.ts';
import { aggregatedAccept, groupName, groupsOf, orderOfGroups } from './group-order.ts';
import type { Step } from './step.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const services = `/api/v1/namespaces/${serviceNamespace}/services`;
const slices = `/apis/discovery.k8s.io/v1/namespaces/${serviceNamespace}/endpointslices`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const name = `v1.${group}`;
const base = `/apis/${group}/v1`;
const merge = 'application/merge-patch+json';
const tableAccept = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

export function* steps(extension: ExtensionServer): Generator<Step> {
  yield* withoutService();
  yield* withService(extension);
  yield* schemas();
  yield* passedOn();
  yield* beside();
  yield* orderOfGroups();
  yield* changedServices();
  yield* managed();
}

function service(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: serviceName }, spec };
}

/** Waits for the condition of the APIService: its reason, or some of its message. */
function condition(what: string, reason: string): Step {
  return {
    name: `${what}: the condition`,
    path: `${apiServices}/${name}`,
    pick: statusOf,
    until: (status) => JSON.stringify(status).includes(reason),
  };
}

function statusOf(body: JsonValue): JsonValue {
  return isJsonObject(body) ? (body['status'] ?? null) : null;
}

function* withoutService(): Generator<Step> {
  yield {
    name: 'a namespace',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: serviceNamespace } },
    pick: () => '',
  };
  const spec = {
    group,
    version: 'v1',
    groupPriorityMinimum: 2000,
    versionPriority: 10,
    service: { name: serviceName, namespace: serviceNamespace },
  };
  const body = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec };
  yield { name: 'created', method: 'POST', path: apiServices, body };
  yield condition('no service', 'ServiceNotFound');
  yield { name: 'no service: as a table', path: `${apiServices}/${name}`, headers: tableAccept, pick: cellsOf };
  yield { name: 'no service: a request', path: `${base}/tides`, until: isUnavailable };
  yield { name: 'no service: discovery of the version', path: base };
  yield { name: 'no service: discovery of the group', path: `/apis/${group}` };
  yield { name: 'no service: the group among all', path: '/apis', pick: (body) => groupIn(body, 'groups') };
  yield {
    name: 'no service: aggregated',
    path: '/apis',
    headers: aggregatedAccept,
    pick: (all) => groupIn(all, 'items'),
    until: (found) => found !== null,
  };
  const ports = [{ name: 'other', port: 8443 }];
  yield {
    name: 'a service with another port',
    method: 'POST',
    path: services,
    body: service({ ports }),
    pick: () => '',
  };
  yield condition('another port', 'ServicePortError');
  const right = { spec: { ports: [{ name: 'api', port: 443 }] } };
  yield {
    name: 'a service with the port',
    method: 'PATCH',
    path: `${services}/${serviceName}`,
    body: right,
    contentType: merge,
    pick: () => '',
  };
  yield condition('no endpoints', 'EndpointsNotFound');
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    metadata: { name: 'tides-1', labels: { 'kubernetes.io/service-name': serviceName } },
    ports: [{ name: 'api', port: 8443 }],
    endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }],
  };
  yield { name: 'an endpoint that is not ready', method: 'POST', path: slices, body: slice, pick: () => '' };
  yield condition('endpoints not ready', 'MissingEndpoints');
  yield { name: 'the service goes', method: 'DELETE', path: `${services}/${serviceName}`, pick: () => '' };
  yield condition('no service again', 'ServiceNotFound');
}

function isUnavailable(answer: JsonValue): boolean {
  return isJsonObject(answer) && answer['code'] === 503;
}

function cellsOf(table: JsonValue): JsonValue {
  const { rows = [] } = isJsonObject(table) ? table : {};
  const [row] = Array.isArray(rows) ? rows : [];
  const cells = isJsonObject(row ?? null) ? (row as JsonObject)['cells'] : [];
  // All but the age.
  return Array.isArray(cells) ? cells.slice(0, 3) : null;
}

function* withService({ port, caBundle }: ExtensionServer): Generator<Step> {
  const body = service({ type: 'ExternalName', externalName: 'localhost' });
  yield { name: 'a service elsewhere', method: 'POST', path: services, body, pick: () => '' };
  const patch = { spec: { service: { port } } };
  yield {
    name: 'its port',
    method: 'PATCH',
    path: `${apiServices}/${name}`,
    body: patch,
    contentType: merge,
    pick: () => '',
  };
  yield condition('an unknown authority', 'signed by unknown authority');
  const trust = { spec: { caBundle } };
  yield {
    name: 'its authority',
    method: 'PATCH',
    path: `${apiServices}/${name}`,
    body: trust,
    contentType: merge,
    pick: () => '',
  };
  yield condition('an answer', 'Passed');
  yield {
    name: 'aggregated',
    path: '/apis',
    headers: aggregatedAccept,
    pick: (all) => groupIn(all, 'items'),
    until: (found) => JSON.stringify(found).includes('"Current"'),
  };
  yield { name: 'discovery of the version', path: base, until: (answer) => !isUnavailable(answer) };
  yield { name: 'the group among all', path: '/apis', pick: (all) => groupIn(all, 'groups') };
}

function* schemas(): Generator<Step> {
  yield {
    name: 'OpenAPI v2',
    path: '/openapi/v2',
    pick: ownSwagger,
    until: (found) => JSON.stringify(found).includes('tides'),
  };
  yield {
    name: 'OpenAPI v3: the index',
    path: '/openapi/v3',
    pick: (body) =>
      isJsonObject(body) && isJsonObject(body['paths']) ? (body['paths'][`apis/${group}/v1`] ?? null) : null,
    until: (found) => found !== null,
  };
  yield { name: 'OpenAPI v3: the document', path: `/openapi/v3/apis/${group}/v1?hash=TIDES` };
}

/** The part of the document about the extension server. */
function ownSwagger(body: JsonValue): JsonValue {
  const { paths = {}, definitions = {} } = isJsonObject(body) ? body : {};
  const own = (value: JsonValue, start: string): JsonObject =>
    Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => key.startsWith(start)));
  return { paths: own(paths, base), definitions: own(definitions, 'example.') };
}

function* passedOn(): Generator<Step> {
  yield { name: 'a request', path: `${base}/namespaces/a/tides?limit=1&fieldSelector=a%3Db` };
  yield { name: 'a body', method: 'POST', path: `${base}/namespaces/a/tides`, body: { kind: 'Tide' } };
  yield { name: 'a method nobody knows', method: 'REPORT', path: `${base}/namespaces/a/tides/one` };
  const claims = {
    'x-remote-user': 'eve',
    'x-remote-group': 'system:masters',
    'x-remote-extra-a': 'b',
    'x-other': 'c',
  };
  yield { name: 'claims of a client', path: `${base}/tides`, headers: claims };
  const impersonated = {
    'impersonate-user': 'dora',
    'impersonate-uid': 'u-1',
    'impersonate-group': 'system:masters',
    'impersonate-extra-acme.com%2fscope': 'a b',
  };
  yield { name: 'somebody else', path: `${base}/tides`, headers: impersonated };
  const poor = { 'impersonate-user': 'poor' };
  yield { name: 'somebody without the right', path: `${base}/tides`, headers: poor };
  yield { name: 'escapes in the path', path: `${base}/namespaces/a%20b/tides/c%2Fd` };
  yield { name: 'a trailing slash', path: `${base}/` };
  for (const what of ['redirect', 'refused', 'pieces', 'broken'])
    yield { name: `the server: ${what}`, path: `${base}/${what}` };
  yield { name: 'another version', path: `/apis/${group}/v2/tides` };
}

/** A definition of the same version comes, and the APIService goes. */
function* beside(): Generator<Step> {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `waves.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Wave', plural: 'waves', singular: 'wave', listKind: 'WaveList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  yield { name: 'a definition', method: 'POST', path: definitions, body: definition, pick: () => '' };
  yield {
    name: 'the definition is established',
    path: `${definitions}/waves.${group}`,
    pick: (body) => JSON.stringify(statusOf(body)).includes('"InitialNamesAccepted"'),
    until: (established) => established === true,
  };
  yield { name: 'the other server still has the version', path: base };
  yield { name: 'the APIService goes', method: 'DELETE', path: `${apiServices}/${name}`, pick: () => '' };
  yield {
    name: 'the version is of the definition',
    path: base,
    until: (answer) => JSON.stringify(answer).includes('"waves"'),
  };
  yield {
    name: 'its APIService',
    path: `${apiServices}/${name}`,
    until: (answer) => isJsonObject(answer) && answer['code'] === 200,
  };
  yield {
    name: 'the group of the definition, aggregated',
    path: '/apis',
    headers: aggregatedAccept,
    pick: (all) => groupIn(all, 'items'),
    until: (found) => JSON.stringify(found).includes('"waves"') && !JSON.stringify(found).includes('"tides"'),
  };
}

/** Steps with APIServices that the server manages. */
function* managed(): Generator<Step> {
  const patch = { spec: { groupPriorityMinimum: 1234 } };
  const priority = (body: JsonValue): JsonValue =>
    isJsonObject(body) && isJsonObject(body['spec']) ? (body['spec']['groupPriorityMinimum'] ?? null) : null;
  const change = { method: 'PATCH', body: patch, contentType: merge, pick: priority };
  yield { name: 'the priority of a definition is changed', path: `${apiServices}/${name}`, ...change };
  yield { name: 'and changed back', path: `${apiServices}/${name}`, pick: priority, until: (value) => value === 1000 };
  yield { name: 'the priority of a release is changed', path: `${apiServices}/v1.apps`, ...change };
  yield {
    name: 'the APIService of a definition is deleted',
    method: 'DELETE',
    path: `${apiServices}/${name}`,
    pick: () => '',
  };
  yield { name: 'and comes back', path: `${apiServices}/${name}`, pick: priority, until: (value) => value === 1000 };
  yield { name: 'that of a release stays changed', path: `${apiServices}/v1.apps`, pick: priority };
  yield { name: 'that of a release is deleted', method: 'DELETE', path: `${apiServices}/v1.batch`, pick: () => '' };
  yield { name: 'the definition goes', method: 'DELETE', path: `${definitions}/waves.${group}`, pick: () => '' };
  yield {
    name: 'and its APIService',
    path: `${apiServices}/${name}`,
    until: (answer) => isJsonObject(answer) && answer['code'] === 404,
  };
  yield { name: 'that of a release stays away', path: `${apiServices}/v1.batch` };
  yield {
    name: 'nothing is left of the group',
    path: `/apis/${group}`,
    until: (answer) => JSON.stringify(answer).includes('404'),
  };
}

/** The entry of the group of the test in a list of groups. */
function groupIn(list: JsonValue, field: 'groups' | 'items'): JsonValue {
  return groupsOf(list, field).find((each) => groupName(each) === group) ?? null;
}
