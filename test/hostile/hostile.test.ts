import { afterAll, describe, expect, test } from 'vitest';
import { launcher } from '../release-form.ts';
import { buildBundle } from '../robustness/bundles.ts';
import { allCases } from './all-cases.ts';
import type { HostileCase } from './hostile-case.ts';
import { describeTrial } from './report.ts';
import { Suite } from './suite.ts';

/** What fits into two minutes: the worst case of each group. `node test/hostile/run.ts` runs all of them. */
const chosen = [
  'head: Accept of nothing but blanks',
  'head: Accept of types',
  'head: parameters',
  'head: label selector of words',
  'head: dryRun',
  '100 KB of text: quantity',
  '100 KB of text: path of a volume',
  '100 KB of text: webhook path',
  '100 KB of text: pattern with a default',
  '100 KB of text: host name',
  '100 KB of text: schedule',
  'JSON, 100 KB: wrong names of containers',
  'JSON, 100 KB: wrong ports',
  'JSON: empty containers',
  'JSON: nulls for containers',
  'JSON: wrong labels',
  'JSON: finalizers',
  'JSON: labels',
  'JSON: wrong keys of data',
  'JSON: a number of a million digits',
  'JSON: bytes that are no UTF-8',
  'JSON: lists in lists',
  'JSON, 120,000: empty containers',
  'JSON, 120,000: wrong ports',
  'JSON, Strict: unknown fields',
  'JSON, Strict: duplicate fields',
  'protobuf: empty containers',
  'protobuf: empty finalizers',
  'protobuf: labels',
  'protobuf: security contexts that are merged',
  'protobuf: groups',
  'CBOR: empty indefinite maps',
  'CBOR: tags in tags',
  'CBOR: text in pieces of one letter',
  'usual CBOR: apply managed fields',
  'YAML: laughs',
  'YAML: merges of a large map',
  'YAML: keys of data',
  'YAML: lists as keys in lists as keys',
  'apply: keys of data',
  'json patch: 27 copies that double',
  'json patch: insertions at the beginning of a list',
  'merge patch: keys',
  'strategic patch: containers',
  'strategic patch: deletions from a primitive list',
  'many: scopes of a quota',
  'many: match conditions',
  'many: audit annotations',
  'many: webhooks',
  'many: wrong rules of a network policy',
  'many: properties of a schema',
  'valid: config map of 50,000 keys, apply',
  'valid: pod of 5,000 containers, create',
  'valid: pod of 5,000 containers, strategic merge patch',
  'valid: definition of 1 MB, create',
  'valid: network policy of 15,000 rules, get as a table',
  'crowd: 10 bodies of 3 MB of empty containers',
  'crowd: 40 bodies of 100 KB of empty containers',
  'crowd: 100 clients ask for OpenAPI v2',
  'crowd: 200 unread watches during 1000 writes',
  'crowd: 400 idle connections',
  'frames: a body of frames of a byte, without credentials',
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
];

const suite = new Suite({ launcher });
afterAll(() => suite[Symbol.asyncDispose]());

function caseOf(name: string): HostileCase {
  const found = allCases.filter((hostile) => hostile.name === name);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} cases are called ${name}`);
  return found[0];
}

test('every case has a unique name', () => {
  const names = allCases.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('other clients are served meanwhile', () => {
  test.for(chosen)('%s', async (name) => {
    const { trial, attempts } = await suite.run(caseOf(name));
    const told = describeTrial(trial, attempts);
    console.log(told);
    expect(trial.complaints, told).toEqual([]);
  });
});

test('a server that blocks and retains memory is detected, and the request named', async () => {
  const answer = "  respondText(context, 404, '404 page not found\\n');";
  await using planted = await buildBundle([
    {
      file: 'src/http/routes/non-resource-routes.ts',
      find: answer,
      replace: `
        for (const end = performance.now() + 300; performance.now() < end; );
        ((globalThis as { kept?: Buffer[] }).kept ??= []).push(Buffer.alloc(20 << 20, 1));
        ${answer}`,
    },
  ]);
  await using slow = new Suite({ launcher: planted.launcher }, 1);
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
