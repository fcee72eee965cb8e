import { get as httpsGet } from 'node:https';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/default/secrets';

/** The series in `/metrics` by name and labels. */
async function metricsOf(server: TestServer): Promise<Map<string, number>> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  httpsGet(`${server.url}/metrics`, await adminTls(server.kubeconfigPath), (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
  }).once('error', reject);
  const lines = (await promise).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('watch caches and watches under way are counted', async () => {
  await using server = await startTestServer({}, {}, { config: { controllers: [] } });
  using client = await ApiClient.connect(server);
  const created = await client.send('POST', path, { body: { metadata: { name: 'a' } } });
  const watching = client.watch(`${path}?watch=true&timeoutSeconds=30`);
  await watching.next();
  await client.send('POST', path, { body: { metadata: { name: 'b' } } });
  await watching.next();
  const dispatched = '{group="",resource="secrets",stage="total"}';
  const labels = '{group="",resource="secrets"}';
  const during = await metricsOf(server);
  expect(during.get(`apiserver_init_events_total${labels}`)).toBe(1);
  expect(during.get(`apiserver_watch_cache_events_received_total${labels}`)).toBe(1);
  expect(during.get(`apiserver_watch_cache_events_dispatched_total${labels}`)).toBe(1);
  expect(during.get(`apiserver_watch_cache_initializations_total${labels}`)).toBe(1);
  expect(during.get(`apiserver_terminated_watchers_total${labels}`)).toBe(0);
  const { resourceVersion } = created.body['metadata'] as { resourceVersion: string };
  expect(during.get(`apiserver_watch_cache_resource_version${labels}`)).toBeGreaterThan(Number(resourceVersion));
  const sent = '{group="",resource="secrets",version="v1"}';
  expect(during.get(`apiserver_watch_events_total${sent}`)).toBe(2);
  expect(during.get(`apiserver_watch_events_sizes_count${sent}`)).toBe(2);
  expect(during.get(`apiserver_watch_events_dispatch_duration_seconds_count${dispatched}`)).toBe(1);
  expect(during.get(`apiserver_watch_cache_initialization_duration_seconds_count${labels}`)).toBe(1);
  expect(during.get(`apiserver_resource_size_estimate_bytes${labels}`)).toBeGreaterThan(0);
  const running =
    'apiserver_longrunning_requests{component="apiserver",group="",resource="secrets",scope="namespace",subresource="",verb="WATCH",version="v1"}';
  expect(during.get(running)).toBe(1);

  await watching.return(undefined);
  await expect.poll(async () => (await metricsOf(server)).get(running)).toBe(0);
});

test('the most requests of the last second are told, also when they have ended', async () => {
  await using server = await startTestServer({}, {}, { config: { controllers: [] } });
  using client = await ApiClient.connect(server);
  const running = async (): Promise<readonly (number | undefined)[]> => {
    const series = await metricsOf(server);
    return ['mutating', 'readOnly'].map((kind) =>
      series.get(`apiserver_current_inflight_requests{request_kind="${kind}"}`),
    );
  };
  await expect
    .poll(async () => {
      await client.send('PATCH', '/api/v1/namespaces/default', {
        body: {},
        contentType: 'application/merge-patch+json',
      });
      return running();
    })
    .toEqual([1, 1]);
  // Nothing happens any more.
  await expect.poll(async () => (await running())[0], { interval: 2_500, timeout: 15_000 }).toBe(0);
});
