import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';
import { shown } from '../../flow-control/shown-answer.ts';
import { allowAll, SilentHook } from '../../flow-control/silent-hook.ts';

/** Only one write at a time, and no priority and fairness. */
export const oneWrite = [
  '--enable-priority-and-fairness=false',
  '--max-requests-inflight=400',
  '--max-mutating-requests-inflight=1',
];

/** What clients and operators see of a limit of writes that is reached. */
export async function playInFlight(
  server: Pick<TestServer, 'url' | 'kubeconfigPath'>,
): Promise<{ readonly [step: string]: JsonObject | readonly string[] }> {
  using client = await ApiClient.connect(server);
  await using _hook = await SilentHook.start(client);
  await allowAll(client, 'limited');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const limited = { headers: { 'impersonate-user': 'limited' } };
  const create = (name: string, request: object) =>
    client.exchange('POST', `${configMaps}?timeout=8s`, { ...request, body: { metadata: { name } } });
  const running = create('hold', limited);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const played: Record<string, JsonObject | readonly string[]> = {};
  played['another write'] = shown(await create('late', limited));
  played['a deletion'] = shown(await client.exchange('DELETE', `${configMaps}/none`, limited));
  played['a write to a path'] = shown(await client.exchange('POST', '/nowhere', limited));
  played['a read'] = shown(await client.exchange('GET', `${configMaps}/none`, limited));
  played['a long-running request'] = shown(
    await client.exchange('POST', '/api/v1/namespaces/default/pods/x/exec?command=a', limited),
  );
  played['a write of an administrator'] = shown(await client.exchange('DELETE', `${configMaps}/none`, {}));
  played['a debug page'] = shown(
    await client.exchange('GET', '/debug/api_priority_and_fairness/dump_priority_levels', {}),
  );
  await running.catch(() => undefined);
  played['afterwards'] = shown(await client.exchange('DELETE', `${configMaps}/none`, limited));
  const checks = (await client.text('/readyz?verbose')).split('\n');
  played['checks'] = checks.filter((line) => /in-flight|priority-and/.test(line));
  const { body } = await client.send('GET', '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/global-default');
  played['objects'] = [JSON.stringify(body['kind'])];
  const counted = /^apiserver_(?:request_terminations_total|request_total)\{.*code="429"/;
  const lines = (await client.text('/metrics')).split('\n').filter((line) => counted.test(line));
  played['metrics'] = lines.map((line) =>
    [...line.matchAll(/(\w+=".*?")|\} (\d+)$/g)]
      .map(([text]) => text)
      .toSorted()
      .join(' '),
  );
  (played['metrics'] as string[]).sort();
  return played;
}
