import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

test('the time of each plugin and of both phases is measured, by what came of it', async () => {
  await using server = await startTestServer({}, { inMemory: true }, { config: { controllers: [] } });
  using client = await ApiClient.connect(server);
  const body = { metadata: { name: 'a' } };
  expect((await client.send('POST', configMaps('default'), { body })).code).toBe(201);
  expect((await client.send('POST', configMaps('nowhere'), { body })).code).toBe(404);
  const text = await client.text('/metrics');
  const countOf = (metric: string, labels: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`apiserver_admission_${metric}_count{${labels}}`));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const lifecycle = 'name="NamespaceLifecycle",operation="CREATE"';
  const plugins = 'controller_admission_duration_seconds';
  expect(countOf(plugins, `${lifecycle},rejected="false",type="admit"`)).toBeGreaterThan(0);
  expect(countOf(plugins, `${lifecycle},rejected="true",type="admit"`)).toBe(1);
  expect(countOf(plugins, 'name="ResourceQuota",operation="CREATE",rejected="false",type="validate"')).toBeGreaterThan(
    0,
  );
  for (const metric of ['step_admission_duration_seconds', 'step_admission_duration_seconds_summary']) {
    expect(countOf(metric, 'operation="CREATE",rejected="true",type="admit"')).toBe(1);
    expect(countOf(metric, 'operation="CREATE",rejected="false",type="validate"')).toBeGreaterThan(0);
  }
  const median = /_summary\{operation="CREATE",rejected="true",type="admit",quantile="0\.5"\} (\S+)/.exec(text)?.[1];
  expect(Number(median)).toBeGreaterThan(0);
});
