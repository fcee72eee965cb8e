import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults, type DelegationConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

/** A server that asks another one about users and permissions. */
export function startBehind(kubeconfig: string, delegation: Partial<DelegationConfig> = {}): Promise<TestServer> {
  return startTestServer(
    {},
    {},
    {
      config: {
        ...asAlone,
        authentication: { ...configDefaults.authentication },
        delegation: {
          ...configDefaults.delegation,
          authenticationKubeconfig: kubeconfig,
          authorizationKubeconfig: kubeconfig,
          ...delegation,
        },
      },
    },
  );
}

/** A kind of custom resources in version v1. */
export interface DefinedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export async function define(server: TestServer, { group, kind, plural, namespaced }: DefinedKind): Promise<void> {
  using client = await ApiClient.connect(server);
  const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const scope = namespaced ? 'Namespaced' : 'Cluster';
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  await must(client, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names, versions },
  });
}

/** Another server, which listens on the loopback interface. */
export interface Registered {
  readonly group: string;
  readonly port: number;
}

/** Has a server pass on the version v1 of a group. */
export async function register(client: ApiClient, { group, port }: Registered): Promise<void> {
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await client.send('POST', '/api/v1/namespaces/default/services', { body: { metadata: { name: 'behind' }, spec } });
  const service = { namespace: 'default', name: 'behind', port };
  const version = { group, version: 'v1', groupPriorityMinimum: 2000, versionPriority: 10 };
  const body = { metadata: { name: `v1.${group}` }, spec: { ...version, service, insecureSkipTLSVerify: true } };
  await must(client, apiServices, body);
}

export function portOf({ url }: Pick<TestServer, 'url'>): number {
  return Number(new URL(url).port);
}

async function must(client: ApiClient, path: string, body: JsonObject): Promise<void> {
  const answer = await client.send('POST', path, { body });
  if (answer.code !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}
