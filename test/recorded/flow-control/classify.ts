import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient, type ApiResponse } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';
import { type RandomRequest, randomRequests } from '../../flow-control/random-requests.ts';

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** Recorded and replayed. */
export const batches = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => ({ seed, schemas: 25, requests: 250 }));

/** The schema and level of each request of a batch, as the headers of the answers tell. */
export async function classify(
  server: Pick<TestServer, 'url' | 'kubeconfigPath'>,
  { seed, ...counts }: (typeof batches)[number],
): Promise<readonly string[]> {
  using client = await ApiClient.connect(server);
  const { schemas, requests } = randomRequests(seed, counts);
  const names: string[] = [];
  for (const schema of schemas) {
    const { code, body } = await client.send('POST', `${root}/flowschemas`, { body: schema });
    if (code !== 201) throw new Error(`${JSON.stringify(schema)}: ${JSON.stringify(body)}`);
  }
  await conditionsSettle(client);
  const known = await namesByUid(client);
  for (const request of requests) names.push(classOf(await send(client, request), known));
  for (const { metadata } of schemas) {
    const { name } = metadata as { readonly name: string };
    await client.send('DELETE', `${root}/flowschemas/${name}`);
  }
  return names;
}

/** Schemas are in force when their conditions are there: both are made from the same state. */
async function conditionsSettle(client: ApiClient): Promise<void> {
  const isSettled = async (): Promise<boolean> => {
    const { body } = await client.send('GET', `${root}/flowschemas`);
    return (body['items'] as JsonObject[]).every(
      ({ status }) => (status as JsonObject | undefined)?.['conditions'] !== undefined,
    );
  };
  while (!(await isSettled())) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function namesByUid(client: ApiClient): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(
    ['flowschemas', 'prioritylevelconfigurations'].map((plural) => client.send('GET', `${root}/${plural}`)),
  );
  const objects = lists.flatMap(
    ({ body }) => body['items'] as unknown as { metadata: { uid: string; name: string } }[],
  );
  // Batches have names of their own: status of one schema is not written more than six times a minute.
  return new Map(objects.map(({ metadata: { uid, name } }) => [uid, name.replace(/^random-\d+-/, 'random-')]));
}

function send(client: ApiClient, { method, path, user, groups }: RandomRequest): Promise<Pick<ApiResponse, 'headers'>> {
  const headers = {
    'impersonate-user': user,
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups as unknown as string }),
  };
  // Nothing is to be changed: bodies that cannot be read are refused after classification.
  const body = ['POST', 'PUT', 'PATCH'].includes(method)
    ? { body: Buffer.from('{'), contentType: 'application/json' }
    : {};
  return client.exchange(method, path, { headers, ...body });
}

function classOf({ headers }: Pick<ApiResponse, 'headers'>, known: ReadonlyMap<string, string>): string {
  const nameOf = (header: string): string => known.get(String(headers[header])) ?? `${String(headers[header])}?`;
  return `${nameOf('x-kubernetes-pf-flowschema-uid')} ${nameOf('x-kubernetes-pf-prioritylevel-uid')}`;
}
