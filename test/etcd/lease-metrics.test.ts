import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';

describeWithEtcd('metrics of etcd', () => {
  test('include the number of objects of each lease', async () => {
    await using etcd = await EtcdProcess.start();
    await using server = await startTestServer({}, onEtcd(etcd.url, { leaseReuseSeconds: 0 }));
    using client = await ApiClient.connect(server);
    const series = async (): Promise<readonly string[]> =>
      (await client.text('/metrics'))
        .split('\n')
        .filter((line) => /^etcd_lease_object_counts_(?:sum|count)/.test(line));
    const before = await series();
    for (const name of ['a', 'b']) {
      const body = { metadata: { name }, involvedObject: { namespace: 'default' } };
      expect((await client.send('POST', '/api/v1/namespaces/default/events', { body })).code).toBe(201);
    }
    const numbers = (lines: readonly string[]) => lines.map((line) => Number(line.split(' ')[1]));
    const [sum = 0, count = 0] = numbers(before);
    const after = numbers(await series());
    expect(after[1]).toBeGreaterThan(count);
    // Without reuse every lease has one.
    expect(after[0]! - sum).toBe(after[1]! - count);
  });
});
