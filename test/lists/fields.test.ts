import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, serverNames, type Servers, startServers } from '../authentication/both-servers.ts';
import { TokenClient } from '../authorization/token-client.ts';

// Field selectors by the names that fields have in the version of the request; all rows hold for kube-apiserver too.

const namespace = '/api/v1/namespaces/default';
const coreEvents = `${namespace}/events`;
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const pods = `${namespace}/pods`;
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';

const made: readonly (readonly [path: string, object: object])[] = [
  [
    coreEvents,
    {
      metadata: { name: 'core' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default', uid: 'u1', fieldPath: 'spec' },
      reason: 'Started',
      source: { component: 'kubelet' },
      type: 'Normal',
    },
  ],
  [
    events,
    {
      metadata: { name: 'new' },
      regarding: { kind: 'Node', name: 'n', namespace: 'default', apiVersion: 'v1', resourceVersion: '7' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reason: 'Ready',
      action: 'act',
      reportingController: 'example.com/controller',
      reportingInstance: 'one',
      type: 'Warning',
    },
  ],
  [pods, { metadata: { name: 'bound' }, spec: { nodeName: 'a', containers: [{ name: 'c', image: 'i' }] } }],
  [pods, { metadata: { name: 'free' }, spec: { containers: [{ name: 'c', image: 'i' }] } }],
];

/** Names, or the message of the refusal. */
const rows: readonly (readonly [path: string, selector: string, answer: readonly string[] | string])[] = [
  [coreEvents, 'involvedObject.kind=Pod', ['core']],
  [coreEvents, 'involvedObject.kind=Node,reason=Ready', ['new']],
  [coreEvents, 'source=kubelet', ['core']],
  [coreEvents, 'source=example.com/controller', ['new']],
  [coreEvents, 'reportingComponent=example.com/controller', ['new']],
  [coreEvents, 'reportingController=example.com/controller', 'field label not supported: reportingController'],
  [coreEvents, 'regarding.kind=Pod', 'field label not supported: regarding.kind'],
  [events, 'regarding.kind=Pod', ['core']],
  [events, 'regarding.name!=p', ['new']],
  [events, 'regarding.namespace=default', ['core', 'new']],
  [events, 'regarding.uid=u1', ['core']],
  [events, 'regarding.apiVersion=v1', ['new']],
  [events, 'regarding.resourceVersion=7', ['new']],
  [events, 'regarding.fieldPath=spec', ['core']],
  [events, 'reportingController=example.com/controller', ['new']],
  [events, 'reason=Started,type=Normal', ['core']],
  [events, 'metadata.name=new', ['new']],
  [events, 'source=kubelet', 'field label not supported: source'],
  [events, 'reportingComponent=example.com/controller', 'field label not supported: reportingComponent'],
  [events, 'involvedObject.kind=Pod', 'field label not supported: involvedObject.kind'],
  [events, 'regarding.else=x', 'field label not supported: regarding.else'],
  [pods, 'spec.nodeName=a', ['bound']],
  [pods, 'spec.host=a', ['bound']],
  [pods, 'spec.host!=a', ['free']],
  [pods, 'spec.else=a', 'field label not supported: spec.else'],
  ['/api/v1/namespaces', 'name=default', 'field label not supported: name'],
  ['/api/v1/namespaces', 'metadata.name=default', ['default']],
  ['/api/v1/namespaces', 'metadata.namespace=', 'field label not supported: metadata.namespace'],
  [replicaSets, 'status.replicas=0', onlyMetadata('status.replicas')],
  ['/api/v1/componentstatuses', 'name=etcd-0', onlyMetadata('name')],
  ['/api/v1/componentstatuses', 'metadata.name=none', []],
  ['/api/v1/namespaces/default/replicationcontrollers', 'status.replicas=1', []],
];

function onlyMetadata(field: string): string {
  return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

let servers: Servers;

beforeAll(async () => {
  servers = await startServers(async () => []);
});

afterAll(() => servers?.[Symbol.asyncDispose]());

describe.each(serverNames)('%s', (name) => {
  let client: TokenClient;

  beforeAll(async () => {
    client = new TokenClient(servers.urls[name] ?? '');
    const nodes = [['/api/v1/nodes', { metadata: { name: 'a' } }]] as const;
    for (const [path, body] of [...nodes, ...made]) {
      const answer = await client.send({ method: 'POST', path, token: root, body });
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 201 });
    }
  });

  afterAll(() => client?.[Symbol.dispose]());

  test.each(rows)('%s?fieldSelector=%s', async (path, selector, expected) => {
    const query = new URLSearchParams({ fieldSelector: selector }).toString();
    const { code, body } = await client.send({ method: 'GET', path: `${path}?${query}`, token: root });
    const { items, message } = body as {
      readonly items?: readonly { readonly metadata: { readonly name: string } }[];
      readonly message?: string;
    };
    if (typeof expected === 'string') return expect({ code, message }).toEqual({ code: 400, message: expected });
    // Other events may tell about the server itself.
    const names = (items ?? []).map(({ metadata }) => metadata.name).filter((each) => !each.includes('.'));
    return expect({ code, names }).toEqual({ code: 200, names: expected });
  });
});
