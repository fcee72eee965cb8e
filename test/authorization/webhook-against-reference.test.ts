import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { compare, type Servers } from './comparison.ts';
import { RecordingWebhook, type WebhookResponses } from './recording-webhook.ts';
import { bootstrapped, startServers } from './servers.ts';
import type { TokenClient, TokenRequest } from './token-client.ts';

const users = [
  'allowed',
  'denied',
  'both',
  'nothing',
  'reasoned',
  'broken',
  'other',
  'refused',
  'angry',
  'empty',
  'older',
  'kindless',
  'wrong',
];
const tokens = ['tok-root,root,u0,"system:masters"', ...users.map((name) => `tok-${name},${name},u-${name},"g,h"`)];

const answers: WebhookResponses = {
  allowed: { body: { allowed: true, reason: 'as you like' } },
  denied: { body: { allowed: false, denied: true, reason: 'never' } },
  both: { body: { allowed: true, denied: true } },
  reasoned: { body: { allowed: false, reason: 'I <do> not & know' } },
  broken: { body: '{' },
  other: { body: { kind: 'Pod', apiVersion: 'v1' } },
  older: {
    body: { kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1beta1', status: { allowed: true } },
  },
  kindless: { body: '{"status":{"allowed":true}}' },
  wrong: { body: { allowed: 'yes' } },
  refused: { code: 403, body: 'no such thing' },
  angry: { code: 418, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'teapot', code: 418 } },
};

const opened = new AsyncDisposableStack();
let servers: Servers;
let webhook: RecordingWebhook;
let folder: string;
let before: readonly [theirs: Counts, ours: Counts];

type Counts = ReadonlyMap<string, number>;

/** Two webhooks: one for pods, whose failures deny, and one for everything else not in `excluded`. */
function configuration(prefix: string, excluded: string): string {
  const common = { timeout: '5s', subjectAccessReviewVersion: 'v1', matchConditionSubjectAccessReviewVersion: 'v1' };
  const entry = (name: string, file: string, more: object): object => {
    const connectionInfo = { type: 'KubeConfigFile', kubeConfigFile: join(folder, file) };
    return { type: 'Webhook', name, webhook: { ...common, connectionInfo, ...more } };
  };
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      entry('pods.example', `${prefix}-pods`, {
        failurePolicy: 'Deny',
        matchConditions: [
          { expression: "has(request.resourceAttributes) && request.resourceAttributes.resource == 'pods'" },
          { expression: "request.resourceAttributes.name != 'fails' || request.extra['x'][0] == ''" },
          { expression: "!('system:nodes' in request.groups) && request.user != ''" },
        ],
      }),
      entry('rest.example', `${prefix}-rest`, {
        failurePolicy: 'NoOpinion',
        authorizedTTL: '1h',
        cacheUnauthorizedRequests: false,
        matchConditions: [
          {
            expression: `request.user != '${excluded}' && !(has(request.resourceAttributes) && request.resourceAttributes.resource == 'pods')`,
          },
        ],
      }),
      { type: 'RBAC', name: 'rbac' },
    ],
  });
}

describe.skipIf(skipWithoutReference())('webhooks are called like by kube-apiserver', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-webhooks-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    webhook = opened.use(await new RecordingWebhook(answers).listen());
    for (const prefix of ['theirs', 'ours']) {
      for (const name of ['pods', 'rest']) webhook.writeKubeconfig(join(folder, `${prefix}-${name}`), `/${prefix}`);
      await writeFile(join(folder, `${prefix}.json`), configuration(prefix, 'skipped'));
    }
    const configFile = join(folder, 'ours.json');
    servers = await startServers(opened, {
      tokens: tokens.join('\n'),
      flags: [`--authorization-config=${join(folder, 'theirs.json')}`],
      config: { authorization: { ...configDefaults.authorization, configFile } },
    });
    for (const client of [servers.reference, servers.binnacle]) await bootstrapped(client);
    before = [await counts(servers.reference), await counts(servers.binnacle)];
  }, 120_000);

  afterAll(() => opened.disposeAsync());

  beforeEach(() => {
    for (const path of ['/theirs', '/ours']) webhook.take(path);
  });

  test('requests, and the effect of responses', { timeout: 120_000 }, async () => {
    for (const request of users.flatMap((user) => requestsOf(`tok-${user}`))) {
      await compare(servers, request);
      expect.soft(webhook.take('/ours'), JSON.stringify(request)).toEqual(webhook.take('/theirs'));
    }
  });

  test('reviews', { timeout: 60_000 }, async () => {
    for (const user of users) {
      for (const reviewedStep of reviewed) {
        await compare(servers, review({ user, groups: ['g'], extra: { x: ['y'] }, uid: 'u', ...reviewedStep }));
        expect.soft(webhook.take('/ours'), `${user} ${JSON.stringify(reviewedStep)}`).toEqual(webhook.take('/theirs'));
      }
    }
  });

  test('a changed file takes effect, an invalid one does not', { timeout: 150_000 }, async () => {
    const lateReview = review({
      user: 'denied',
      resourceAttributes: { verb: 'get', resource: 'secrets', name: 'late' },
    });
    for (const [prefix, client] of [
      ['theirs', servers.reference],
      ['ours', servers.binnacle],
    ] as const) {
      const file = join(folder, `${prefix}.json`);
      await writeFile(
        file,
        '{"kind":"AuthorizationConfiguration","apiVersion":"apiserver.config.k8s.io/v1","authorizers":[]}',
      );
      await metric(client, 'failure');
      await writeFile(file, configuration(prefix, 'denied'));
      await metric(client, 'success');
    }
    await compare(servers, lateReview);
    expect(webhook.take('/ours')).toEqual(webhook.take('/theirs'));
  });

  test('metrics', { timeout: 30_000 }, async () => {
    const [theirs, ours] = await Promise.all([counts(servers.reference), counts(servers.binnacle)]);
    const since = (now: Counts, then: Counts): Counts =>
      new Map([...now].map(([series, count]) => [series, count - (then.get(series) ?? 0)]));
    expect(since(ours, before[1])).toEqual(since(theirs, before[0]));
  });
});

const reviewed: readonly object[] = [
  { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'a', name: 'fails' } },
  {
    resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'a', version: 'v1', group: '', subresource: 'log' },
  },
  {
    resourceAttributes: {
      verb: 'list',
      resource: 'pods',
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['a'] }] },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Odd' },
        ],
      },
    },
  },
  {
    resourceAttributes: { verb: 'list', resource: 'secrets', labelSelector: { rawSelector: 'a in (x,y),b!=c,!d,e>1' } },
  },
  { resourceAttributes: { verb: 'list', resource: 'secrets', fieldSelector: { rawSelector: 'a=b,c!=d' } } },
  { nonResourceAttributes: { verb: 'get', path: '/metrics' } },
];

function review(spec: object): TokenRequest {
  const apiVersion = 'authorization.k8s.io/v1';
  const body = { kind: 'SubjectAccessReview', apiVersion, spec };
  return { method: 'POST', path: `/apis/${apiVersion}/subjectaccessreviews`, token: 'tok-root', body };
}

function requestsOf(token: string): readonly TokenRequest[] {
  return [
    '/api/v1/namespaces/default/pods/x',
    '/api/v1/namespaces/default/pods?labelSelector=a%3Db&fieldSelector=spec.nodeName%3Dn',
    '/api/v1/pods?fieldSelector=metadata.name%3Dq',
    '/api/v1/namespaces/default/secrets/x',
    '/apis/apps/v1/deployments?labelSelector=a%20in',
    '/foo?x=<y>',
  ].map((path) => ({ method: 'GET', path, token }));
}

async function metric(client: TokenClient, status: string): Promise<void> {
  for (let left = 1200; left > 0; left -= 1) {
    const text = await metrics(client);
    if (
      text.includes(`automatic_reloads_total{`) &&
      new RegExp(`reloads_total\\{[^}]*status="${status}"[^}]*\\} [1-9]`).test(text)
    )
      return;
    await sleep(100);
  }
  throw new Error(`there was no ${status}`);
}

async function metrics(client: TokenClient): Promise<string> {
  const { body } = await client.send({ method: 'GET', path: '/metrics', token: 'tok-root' });
  return typeof body === 'string' ? body : '';
}

/** Webhook counters by labels. */
async function counts(client: TokenClient): Promise<Counts> {
  const counted = /^apiserver_authorization_(?:webhook_evaluations|match_condition_(?:evaluation_errors|exclusions))/;
  const lines = (await metrics(client)).split('\n').filter((line) => counted.test(line));
  return new Map(
    lines.map((line) => {
      const [series = '', count = ''] = sortedLabels(line).split(' ');
      return [series, Number(count)];
    }),
  );
}

function sortedLabels(line: string): string {
  return line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').toSorted().join(',')}}`);
}
