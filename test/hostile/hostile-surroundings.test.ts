import { expect, test } from 'vitest';
import { buildBundle } from '../robustness/bundles.ts';
import { testCases } from './chosen-cases.ts';
import { Suite } from './suite.ts';

// The worst case of each group that needs more than requests: other servers, or objects that make later ones costly.
testCases([
  'upstream: no answer',
  'upstream: a million headers',
  'upstream: informational answers without end',
  'upstream: a body without end',
  'upstream: an upgrade that nobody asked for',
  'upstream: no reading',
  'upstream: pings without end',
  'upstream: a page of beginnings of tags',
  'upstream: a page of links',
  'upstream: discovery of 20,000 resources',
  'upstream: OpenAPI v2 of definitions in a chain',
  'hook: mutating, an answer without end',
  'hook: validating, a million empty objects',
  'hook: mutating, a patch of 9,000 insertions',
  'hook: mutating, a patch of 100,000 operations',
  'policy: sums of texts',
  'policy: 3 validations with each of 500 parameters',
  'crowd: 5 clients ask for metrics of thousands of series',
  'review: of tokens, a user of 150,000 groups',
  'certificates: a request of 40 KB of addresses',
  'certificates: a bundle of 1 MB',
  'permissions: a rule of 10^12 combinations',
  'services: 8,000 ports of 200 pods',
  'streams: output of bytes without end',
  'streams: control frames without end',
  'streams: a client sends messages of a byte without end',
]);

test('a server that blocks and retains memory is detected, and the request named', async () => {
  const answer = "  respondText(context, 404, '404 page not found\\n');";
  const change = {
    file: 'src/http/routes/non-resource-routes.ts',
    find: answer,
    replace: `
      for (const end = performance.now() + 300; performance.now() < end; );
      ((globalThis as { kept?: Buffer[] }).kept ??= []).push(Buffer.alloc(20 << 20, 1));
      ${answer}`,
  };
  await using planted = await buildBundle([change]);
  await using slow = new Suite({ launcher: planted.launcherWith(change) }, 1);
  const { trial } = await slow.run({
    name: 'planted',
    bodyBytes: 1000,
    codes: [200],
    send: async (client) => [await client.send({ method: 'GET', path: '/planted' })],
  });
  expect(trial.stalls.map(({ request }) => request)).toContain('GET /planted');
  expect(trial.complaints).toEqual([
    expect.stringMatching(/^answered 404, not 200: 404 page not found/),
    expect.stringMatching(/^others waited \d{2,} ms, more than \d+ ms$/),
    expect.stringMatching(/^keeps \d{2} MB$/),
  ]);
});
