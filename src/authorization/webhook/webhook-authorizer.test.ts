import { afterEach, expect, test, vi } from 'vitest';
import type { AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { Metric } from '../../api/metrics/metric.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { readReview } from '../../outgoing/webhooks/read-review.ts';
import type { WebhookSpec } from '../configuration/authorizer-spec.ts';
import { compileMatchCondition, prepareConditions } from './compile-match-condition.ts';
import { WebhookAuthorizer } from './webhook-authorizer.ts';
import { webhookMetrics } from './webhook-metrics.ts';

const measured: Metric[] = [];

function webhookThat(
  post: (review: JsonObject) => JsonObject,
  changes: Partial<WebhookSpec> = {},
  conditions: readonly string[] = [],
) {
  const reviewed: JsonObject[] = [];
  const spec: WebhookSpec = {
    authorizedTtlMs: 1e3,
    unauthorizedTtlMs: 100,
    timeoutMs: 1e3,
    reviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    kubeconfigFile: '/k',
    matchConditions: [],
    ...changes,
  };
  const authorizer = new WebhookAuthorizer({
    name: 'w',
    spec,
    conditions: conditions.map(compileMatchCondition),
    webhook: {
      async post(review, form) {
        reviewed.push(review);
        return await readReview(Buffer.from(JSON.stringify(post(review))), form);
      },
      send: () => Promise.reject(new Error('reviews are posted')),
    },
    metrics: webhookMetrics({
      metric(definition) {
        const metric = new Metric(definition);
        measured.push(metric);
        return metric;
      },
    }),
    onError: () => undefined,
  });
  return { authorizer, reviewed };
}

function question(changes: Partial<AuthorizationAttributes> = {}): AuthorizationAttributes {
  return {
    user: {
      name: 'ann',
      uid: 'u',
      groups: ['g'],
      extra: { x: ['y'] },
    },
    verb: 'list',
    isResourceRequest: true,
    path: '',
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    subresource: '',
    namespace: 'n',
    name: '',
    ...changes,
  };
}

test('the review as sent, in both versions', async () => {
  const selectors = {
    fields: [{ field: 'a', operator: '!=', value: 'b' }],
    labels: [
      { key: 'k', operator: 'in', values: ['v'] },
      { key: 'n', operator: '>', values: ['1'] },
    ],
  } as const;
  const spec = {
    resourceAttributes: {
      namespace: 'n',
      verb: 'list',
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      fieldSelector: {
        requirements: [
          {
            key: 'a',
            operator: 'NotIn',
            values: ['b'],
          },
        ],
      },
      labelSelector: {
        requirements: [
          {
            key: 'k',
            operator: 'In',
            values: ['v'],
          },
        ],
      },
    },
    user: 'ann',
    uid: 'u',
    extra: { x: ['y'] },
  };
  for (const [reviewVersion, groups] of [
    ['v1', { groups: ['g'] }],
    ['v1beta1', { group: ['g'] }],
  ] as const) {
    const { authorizer, reviewed } = webhookThat((review) => review, { reviewVersion });
    await authorizer.authorize(question({ selectors }));
    expect(reviewed).toEqual([
      {
        kind: 'SubjectAccessReview',
        apiVersion: `authorization.k8s.io/${reviewVersion}`,
        metadata: {},
        spec: {
          ...spec,
          ...groups,
        },
        status: { allowed: false },
      },
    ]);
  }
});

afterEach(() => {
  vi.useRealTimers();
});

test('decisions are cached for their TTL', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { authorizer, reviewed } = webhookThat(({ spec }) => ({
    status: { allowed: JSON.stringify(spec).includes('"verb":"get"') },
  }));
  const ask = async (verb: string): Promise<number> => {
    await authorizer.authorize(question({ verb }));
    return reviewed.length;
  };
  expect([await ask('get'), await ask('get'), await ask('list'), await ask('list')]).toEqual([1, 1, 2, 2]);
  vi.advanceTimersByTime(500);
  expect([await ask('get'), await ask('list')]).toEqual([2, 3]);
  vi.advanceTimersByTime(600);
  expect(await ask('get')).toBe(4);
  const long = 'x'.repeat(10_000);
  await authorizer.authorize(question({ verb: 'get', name: long }));
  await authorizer.authorize(question({ verb: 'get', name: long }));
  expect(reviewed.length).toBe(6);
});

test.each([
  ['NoOpinion', 'no-opinion'],
  ['Deny', 'deny'],
] as const)('without an answer %s counts', async (failurePolicy, decision) => {
  const { authorizer } = webhookThat(
    () => {
      throw new CallError('nobody there');
    },
    { failurePolicy },
  );
  expect(await authorizer.authorize(question())).toEqual({ decision, reason: '', error: 'nobody there' });
});

test('match conditions skip the webhook, and their failures count as its failures', async () => {
  await prepareConditions();
  const conditions = [
    "request.resourceAttributes.name != 'bad' || request.extra['z'][0] == ''",
    "request.user != 'eve'",
  ];
  const { authorizer, reviewed } = webhookThat(
    () => ({ status: { allowed: true } }),
    { failurePolicy: 'Deny' },
    conditions,
  );
  const eve = { ...question().user, name: 'eve' };
  expect(await authorizer.authorize(question())).toMatchObject({ decision: 'allow' });
  expect(await authorizer.authorize(question({ user: eve }))).toEqual({ decision: 'no-opinion', reason: '' });
  expect(await authorizer.authorize(question({ user: eve, name: 'bad' }))).toMatchObject({ decision: 'no-opinion' });
  expect(await authorizer.authorize(question({ name: 'bad' }))).toEqual({
    decision: 'deny',
    reason: '',
    error: `cel evaluation error: expression '${conditions[0]}' resulted in error: no such key: z`,
  });
  expect(reviewed.length).toBe(1);
});
