import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiClient } from '../api-client.ts';
import {
  convertedShips,
  type ConversionWebhook,
  type ConvertingServer,
  startConvertingServer,
} from './conversion-webhook.ts';
import { define, definitionsPath, group, ship, shipsPath, specSchema, undefine } from './definitions.ts';

/* A definition goes once its instances can be listed: those in a former storage version have to be converted first. */

let server: ConvertingServer;
let client: ApiClient;
let webhook: ConversionWebhook;
const path = `${definitionsPath}/ships.${group}`;

beforeAll(async () => {
  server = await startConvertingServer();
  ({ client, webhook } = server);
});

beforeEach(async () => {
  await define(client, definition('v1'));
  await client.send('POST', shipsPath(), { body: ship('one', { name: 'first' }) });
});

afterEach(async () => {
  webhook.answer = undefined;
  await undefine(client);
});

afterAll(() => server[Symbol.asyncDispose]());

function definition(storage: 'v1' | 'v2'): object {
  const text = { type: 'string' };
  return convertedShips(webhook, [
    { name: 'v1', storage: storage === 'v1', schema: specSchema({ name: text }) },
    { name: 'v2', storage: storage === 'v2', schema: specSchema({ title: text }) },
  ]);
}

async function change(of: string, body: object): Promise<void> {
  const { code } = await client.send('PATCH', of, { body, contentType: 'application/merge-patch+json' });
  expect(code).toBe(200);
}

async function terminating(): Promise<object | undefined> {
  const { body } = await client.send('GET', path);
  const { conditions = [] } = (body['status'] ?? {}) as { conditions?: { type: string }[] };
  return conditions.find(({ type }) => type === 'Terminating');
}

const moveStorage = async (): Promise<void> => {
  await change(path, definition('v2'));
  await expect
    .poll(async () => (await client.send('GET', `${shipsPath('v2')}/one`)).body['spec'])
    .toEqual({ title: 'first' });
};

test.each<readonly [string, () => Promise<void>]>([
  ['another version is the storage version now', moveStorage],
  [
    'the former storage version has been forgotten without a migration',
    async () => {
      await moveStorage();
      await change(`${path}/status`, { status: { storedVersions: ['v2'] } });
    },
  ],
])('a definition stays while its webhook fails, and %s', async (_, prepare) => {
  await prepare();
  webhook.answer = () => ({ code: 500, body: 'broken' });
  expect((await client.send('GET', `${shipsPath('v2')}/one`)).code).toBe(500);
  expect((await client.send('GET', `${shipsPath('v1')}/one`)).body['spec']).toEqual({ name: 'first' });
  await client.send('DELETE', path);
  await expect.poll(terminating).toMatchObject({
    status: 'True',
    reason: 'InstanceDeletionFailed',
    message: expect.stringMatching(
      /^could not list instances: .*: conversion webhook for .*, Kind=Ship failed: an error on the server \("broken"\)/,
    ),
  });
  await sleep(500);
  expect((await client.send('GET', path)).code).toBe(200);
});

test('a definition whose instances need no conversion goes without the webhook', async () => {
  webhook.answer = () => ({ code: 500, body: 'broken' });
  await undefine(client);
});
