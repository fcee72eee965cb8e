import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/api/json/json.ts';
import { Player } from '../recorded/differential/player.ts';
import { post, put, scenario, type StepResponse } from '../recorded/differential/scenario.ts';
import { apply, merge } from '../recorded/differential/scenarios/apply-step.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// Objects that only fit into storage without managedFields: the reference stores them without.

let server: TestServer;
let player: Player;

beforeAll(async () => {
  server = await startTestServer();
  player = await Player.connect(server);
});

afterAll(async () => {
  player?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const path = '/api/v1/namespaces/default/configmaps';
const prefix = 'this-key-is-very-long-so-as-to-create-a-very-large-serialized-fieldset-';
const manyKeys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'A']));
const configMap = (name: string, data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const answers = new Map<string, StepResponse>();
const steps = [
  post('create', path, configMap('created', manyKeys(9999))),
  apply('apply to it', `${path}/created`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'created' } }),
  apply(
    'apply to it, dry',
    `${path}/created`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'created' } },
    'one&dryRun=All',
  ),
  post('create to replace', path, configMap('replaced', { k: 'v' })),
  put('replace', `${path}/replaced`, configMap('replaced', manyKeys(9999))),
  put('replace by less', `${path}/replaced`, configMap('replaced', { k: 'w' })),
  post('create to patch', path, configMap('patched', { k: 'v' })),
  merge('patch', `${path}/patched`, { data: manyKeys(9999) }),
  merge('patch again', `${path}/patched`, { data: { k: 'w' } }),
  post('create too much', path, configMap('none', manyKeys(20_000))),
  put('replace by too much', `${path}/replaced`, configMap('replaced', manyKeys(20_000))),
];

beforeAll(async () => {
  for (const [step, answer] of await player.play(scenario('large', steps))) answers.set(step, answer);
});

function answerTo(step: string): { readonly code: number; readonly message: unknown; readonly managers: number } {
  const { code = 0, body } = answers.get(step) ?? {};
  if (!isJsonObject(body)) throw new Error(`no object: ${step}`);
  const { metadata, message } = body;
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return { code, message, managers: Array.isArray(entries) ? entries.length : 0 };
}

const stored = (code: number, managers: number): object => ({ code, message: undefined, managers });
const refused = { code: 500, message: 'etcdserver: request is too large', managers: 0 };

describe('an object that is too large with managedFields', () => {
  test.each([
    ['create', stored(201, 0)],
    ['apply to it', refused],
    // The managedFields are computed, but not stored.
    ['apply to it, dry', stored(200, 1)],
    ['create to replace', stored(201, 1)],
    ['replace', stored(200, 0)],
    ['replace by less', stored(200, 0)],
    ['create to patch', stored(201, 1)],
    ['patch', stored(200, 0)],
    ['patch again', stored(200, 0)],
    ['create too much', refused],
    ['replace by too much', refused],
  ])('%s', (step, expected) => {
    expect(answerTo(step)).toEqual(expected);
  });
});
