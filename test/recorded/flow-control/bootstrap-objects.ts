import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** The objects that a server has created, once their conditions are there, without what differs each time. */
export async function bootstrapObjects(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<JsonObject> {
  using client = await ApiClient.connect(server);
  const items = async (plural: string): Promise<JsonObject[]> =>
    (await client.send('GET', `${root}/${plural}`)).body['items'] as JsonObject[];
  const hasConditions = ({ status }: JsonObject): boolean => JSON.stringify(status ?? {}).includes('conditions');
  while (!(await items('flowschemas')).every(hasConditions)) await new Promise((resolve) => setTimeout(resolve, 50));
  const [flowschemas, prioritylevelconfigurations] = await Promise.all(
    ['flowschemas', 'prioritylevelconfigurations'].map(async (plural) => (await items(plural)).map(comparable)),
  );
  return { flowschemas: flowschemas ?? [], prioritylevelconfigurations: prioritylevelconfigurations ?? [] };
}

function comparable({ apiVersion: _version, kind: _kind, metadata, ...object }: JsonObject): JsonObject {
  const { name = '', annotations = {}, generation = 0, managedFields = [] } = metadata as JsonObject;
  const fields = (managedFields as JsonObject[]).map(({ time: _time, ...field }) => field);
  const text = JSON.stringify({ name, annotations, generation, managedFields: fields, ...object });
  return JSON.parse(text.replaceAll(/"lastTransitionTime":"[^"]+"/g, '"lastTransitionTime":"TIME"')) as JsonObject;
}
