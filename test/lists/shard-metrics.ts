import { isInShard, parseShardSelector } from '../../src/api/selectors/shard-selector.ts';
import type { ApiClient } from '../api-client.ts';

const path = '/api/v1/namespaces/default/secrets';
const shard = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const count = 12;
const labels = '{group="",resource="secrets"}';
const filtered = `apiserver_watch_filtered_events_total${labels}`;
const running = `apiserver_watch_shards_total${labels}`;

/** Values of the metrics, and those that follow from what was watched. */
export interface ShardMetrics {
  readonly during: ShardSeries;
  readonly after: ShardSeries;
  readonly expected: { readonly during: ShardSeries; readonly after: ShardSeries };
}

interface ShardSeries {
  readonly filtered: number;
  readonly running: number;
}

/** Creates, labels and deletes objects of which one shard is watched, beginning with the state. */
export async function playShardMetrics(client: ApiClient): Promise<ShardMetrics> {
  const before = await create(client, 'before');
  const watching = client.watch(`${path}?watch=1&resourceVersion=0&shardSelector=${encodeURIComponent(shard)}`);
  for (const _ of inShard(before)) await watching.next();
  const during = await create(client, 'during');
  for (const name of during.keys()) {
    const body = { metadata: { labels: { a: 'b' } } };
    await client.send('PATCH', `${path}/${name}`, { body, contentType: 'application/merge-patch+json' });
  }
  for (const name of during.keys()) await client.send('DELETE', `${path}/${name}`);
  for (let events = 3 * inShard(during).length; events > 0; events -= 1) await watching.next();
  const counted = await seriesOf(client);
  await watching.return(undefined);
  let after = await seriesOf(client);
  for (const until = Date.now() + 10_000; after.running > 0 && Date.now() < until;) after = await seriesOf(client);
  // A change counts twice: the object as it was, and as it is.
  const others = count - inShard(before).length + 4 * (count - inShard(during).length);
  const expected = (watches: number): ShardSeries => ({ filtered: others, running: watches });
  return { during: counted, after, expected: { during: expected(1), after: expected(0) } };
}

function inShard(uids: ReadonlyMap<string, string>): readonly string[] {
  const selector = parseShardSelector(shard);
  return [...uids.values()].filter((uid) => isInShard(selector, uid));
}

async function create(client: ApiClient, prefix: string): Promise<ReadonlyMap<string, string>> {
  const uids = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const name = `${prefix}-${index}`;
    const { body } = await client.send('POST', path, { body: { metadata: { name } } });
    uids.set(name, (body['metadata'] as { readonly uid: string }).uid);
  }
  return uids;
}

async function seriesOf(client: ApiClient): Promise<ShardSeries> {
  const lines = (await client.text('/metrics')).split('\n');
  const valueOf = (series: string): number =>
    Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length));
  return { filtered: valueOf(filtered), running: valueOf(running) };
}
