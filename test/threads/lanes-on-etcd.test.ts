import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { startLaneServer } from './lane-server.ts';

// Nothing reads them but requests, so no thread knows their sizes.
const templates = '/api/v1/namespaces/default/podtemplates';

const templateOf = (name: string, text: string): object => ({
  metadata: { name, annotations: { 'example.com/text': text } },
  template: { metadata: {}, spec: { containers: [{ name: 'c', image: 'i' }] } },
});

interface Write {
  readonly what: string;
  send(client: ApiClient, path: string): ReturnType<ApiClient['send']>;
}

const small = { metadata: { labels: { touched: 'yes' } } };
const patch = (contentType: string, query = ''): Write['send'] => {
  const head = query === '' ? {} : { apiVersion: 'v1', kind: 'PodTemplate' };
  return (client, path) => client.send('PATCH', path + query, { body: { ...head, ...small }, contentType });
};
const writes: readonly Write[] = [
  { what: 'a merge patch', send: patch('application/merge-patch+json') },
  { what: 'a dry run', send: patch('application/merge-patch+json', '?dryRun=All') },
  { what: 'an apply', send: patch('application/apply-patch+yaml', '?fieldManager=tester') },
  { what: 'a deletion', send: (client, path) => client.send('DELETE', path) },
];

describeWithEtcd('of an object in etcd that nobody has read before', () => {
  test.each(writes)('$what is served by a lane if it is large', { timeout: 120_000 }, async ({ send }) => {
    await using etcd = await EtcdProcess.start();
    {
      await using earlier = await startTestServer({}, onEtcd(etcd.url));
      using client = await ApiClient.connect(earlier);
      for (const [name, text] of [
        ['small', 'text'],
        ['large', 'text '.repeat(30_000)],
      ] as const) {
        const { code } = await client.send('POST', templates, { body: templateOf(name, text) });
        expect(code).toBe(201);
      }
    }
    await using server = await startLaneServer({ args: ['--api-threads=1', `--etcd-servers=${etcd.url}`] });
    using client = await ApiClient.connect(server.process);
    expect((await send(client, `${templates}/small`)).code).toBe(200);
    expect(await client.text('/metrics')).not.toContain('thread="lane-1"');
    const answer = await send(client, `${templates}/large`);
    expect(answer.code).toBe(200);
    expect(await client.text('/metrics')).toContain('thread="lane-1"');
    const counted = (await client.text('/metrics')).split('\n').filter((line) => {
      return /^apiserver_request_total\{.*resource="podtemplates"/.test(line);
    });
    expect(counted.map((line) => Number(line.split(' ').at(-1))).reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});
