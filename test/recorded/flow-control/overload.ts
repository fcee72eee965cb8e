import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';
import { shown } from '../../flow-control/shown-answer.ts';
import { allowAll, made, SilentHook } from '../../flow-control/silent-hook.ts';

/** The seats of a server that is to be overloaded: few. */
export const fewSeats = ['--max-requests-inflight=1', '--max-mutating-requests-inflight=1'];

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';

interface Played {
  readonly [step: string]: JsonObject | string | readonly string[];
}

/** Forces refusals for each reason, and returns what clients and operators see of them. */
export async function playOverload(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<Played> {
  using client = await ApiClient.connect(server);
  await using _hook = await SilentHook.start(client);
  await prepare(client);
  const asUser = (user: string) => ({ headers: { 'impersonate-user': user } });
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const create = (name: string, user: string) =>
    client.exchange('POST', `${configMaps}?timeout=8s`, { ...asUser(user), body: { metadata: { name } } });
  const played: Record<string, Played[string]> = {};
  // Without a seat, the first one waits for a quarter of its time, and the second one does not fit into the queue.
  const waiting = client.exchange('GET', `${configMaps}?timeout=8s`, asUser('queued'));
  await metricIs(client, /current_inqueue_requests\{flow_schema="queued".*\} 1$/m);
  played['dump of queues'] = await dump(client, 'dump_queues', 'queued');
  played['dump of requests'] = await dump(client, 'dump_requests?includeRequestDetails=1', 'queued');
  played['the queue is full'] = shown(await client.exchange('GET', configMaps, asUser('queued')));
  played['has waited too long'] = shown(await waiting);
  const running = create('hold', 'refused');
  await metricIs(client, /current_executing_requests\{flow_schema="refused".*\} 1$/m);
  played['dump of an executing request'] = await dump(client, 'dump_requests', 'refused');
  played['there is no seat'] = shown(await create('late', 'refused'));
  played['there is no seat for a watch'] = shown(
    await client.exchange('GET', `${configMaps}?watch=1`, asUser('refused')),
  );
  played['a path that does not exist'] = shown(await client.exchange('GET', '/nowhere', asUser('refused')));
  played['long-running requests need none'] = shown(
    await client.exchange('GET', '/api/v1/namespaces/default/pods/x/log', asUser('refused')),
  );
  played['exempt requests need none'] = shown(await client.exchange('GET', '/api/v1/namespaces/default/pods/x', {}));
  await running.catch(() => undefined);
  played['dump of levels'] = await dump(client, 'dump_priority_levels', '(?:queued|refused)');
  played['metrics'] = await metrics(client);
  return played;
}

async function prepare(client: ApiClient): Promise<void> {
  const limits = { nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0 };
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };
  const responses = { queued: { type: 'Queue', queuing }, refused: { type: 'Reject' } };
  for (const [name, limitResponse] of Object.entries(responses)) {
    await made(client, `${root}/prioritylevelconfigurations`, {
      metadata: { name },
      spec: { type: 'Limited', limited: { ...limits, limitResponse } },
    });
    const any = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
    const rules = [
      {
        subjects: [{ kind: 'User', user: { name } }],
        resourceRules: [any],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ];
    const spec = { matchingPrecedence: 50, priorityLevelConfiguration: { name }, rules };
    await made(client, `${root}/flowschemas`, { metadata: { name }, spec });
    await allowAll(client, name);
  }
  // In force.
  for (const name of Object.keys(responses)) {
    const pathOf = `${root}/flowschemas/${name}`;
    const isInForce = async (): Promise<boolean> => {
      const { body } = await client.send('GET', pathOf);
      return JSON.stringify(body).includes('"Found"');
    };
    while (!(await isInForce())) await pause();
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

async function metricIs(client: ApiClient, pattern: RegExp): Promise<void> {
  const until = Date.now() + 20_000;
  while (!pattern.test(await client.text('/metrics'))) {
    if (Date.now() > until) throw new Error(`no ${pattern.source}`);
    await pause();
  }
}

/** Rows of a level, with times replaced. */
async function dump(client: ApiClient, page: string, level: string): Promise<readonly string[]> {
  const text = await client.text(`/debug/api_priority_and_fairness/${page}`);
  const lines = text.split('\n').filter((line, at) => at === 0 || new RegExp(`^${level},`).test(line));
  // Columns are as wide as the longest name of all levels.
  const narrow = lines.map((line) => line.replaceAll(/ +/g, ' '));
  return narrow.map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/\d+\.\d{8}ss/g, 'WORK'));
}

const families = [
  'apiserver_flowcontrol_(?:rejected_requests|dispatched_requests|current_inqueue|current_executing).*',
  'apiserver_flowcontrol_(?:nominal|lower|upper|current)_limit_seats',
  'apiserver_flowcontrol_(?:request_wait_duration_seconds|request_execution_seconds|watch_count_samples)_count',
  'apiserver_flowcontrol_(?:work_estimated_seats_count|request_queue_length_after_enqueue_(?:count|sum))',
  'apiserver_request_terminations_total',
];

async function metrics(client: ApiClient): Promise<readonly string[]> {
  const isCompared = new RegExp(`^(?:${families.join('|')})\\{`);
  const isOurs = /(?:flow_schema|priority_level)="(?:queued|refused)"|code="429"/;
  const lines = (await client.text('/metrics'))
    .split('\n')
    .filter((line) => isCompared.test(line) && isOurs.test(line));
  return lines.map(inOrder).toSorted();
}

/** Labels in alphabetical order. */
function inOrder(line: string): string {
  return line.replace(
    /\{(.*)\}/,
    (_, labels: string) =>
      `{${labels
        .split(/,(?=\w+=)/)
        .toSorted()
        .join(',')}}`,
  );
}
