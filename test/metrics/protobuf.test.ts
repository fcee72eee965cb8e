import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { WireReader } from '../../src/api/bytes/wire-reader.ts';
import { ApiClient } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

// Scrapers that ask for protobuf get it, and native histograms with it, unless their gate is off.

const accept = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';

async function scraped({ url, kubeconfigPath }: TestServer, path: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { ...(await adminTls(kubeconfigPath)), headers: { accept } };
  request(`${url}${path}`, options, (response) => {
    expect(response.headers['content-type']).toBe(
      'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores',
    );
    buffer(response).then(resolve, reject);
  })
    .on('error', reject)
    .end();
  return await promise;
}

/** The fields of a message by number: of those that are messages, the first. */
function fieldsOf(bytes: Uint8Array): ReadonlyMap<number, Uint8Array | number> {
  const fields = new Map<number, Uint8Array | number>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    const value = wireType === 2 ? reader.bytes() : wireType === 1 ? reader.double() : reader.integer();
    if (!fields.has(number)) fields.set(number, value);
  }
  return fields;
}

function familiesOf(body: Uint8Array): ReadonlyMap<string, ReadonlyMap<number, Uint8Array | number>> {
  const reader = new WireReader(body);
  const families = new Map<string, ReadonlyMap<number, Uint8Array | number>>();
  while (!reader.done) {
    const family = fieldsOf(reader.bytes());
    families.set(Buffer.from(family.get(1) as Uint8Array).toString(), family); // a text
  }
  return families;
}

test.each([true, false])('with the gate %s', async (isOn) => {
  const featureGates = isOn ? new Map<string, boolean>() : new Map([['NativeHistograms', false]]);
  await using server = await startTestServer({ featureGates }, { inMemory: true });
  await scraped(server, '/metrics/slis');
  using client = await ApiClient.connect(server);
  await client.send('GET', '/api/v1/namespaces');
  const families = familiesOf(await scraped(server, '/metrics'));
  expect([...families.keys()]).toEqual([...families.keys()].toSorted());
  // A library's own metrics have no native buckets.
  expect([...families.keys()]).toEqual(
    expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_gc_duration_seconds']),
  );
  const metric = fieldsOf(families.get('apiserver_request_duration_seconds')?.get(4) as Uint8Array); // a message
  const histogram = fieldsOf(metric.get(7) as Uint8Array); // a message
  expect(histogram.get(1)).toBeGreaterThan(0);
  // Buckets as before; schema 3, spans and differences.
  expect([3, 5, 12, 13].map((number) => histogram.has(number))).toEqual([true, isOn, isOn, isOn]);
});
