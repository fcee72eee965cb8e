import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../api-client.ts';
import { jsonOf, startHttpsServer } from '../https-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { definitionsPath, group, ships, type Ships, shipsPath } from './definitions.ts';

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: Convertible[] };
}

interface Convertible {
  apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; labels?: object };
  spec?: { name?: string; title?: string };
}

/** Its response: the converted objects, unless a test replaces it. */
export interface ConversionWebhook extends AsyncDisposable {
  readonly url: string;
  readonly caBundle: string;
  /** Number of objects in each call. */
  readonly calls: number[];
  answer: Responder | undefined;
  /** Its usual response. */
  readonly converted: Responder;
}

export interface WebhookResponse {
  readonly code?: number;
  /** A text is sent unchanged. */
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** The connection ends before the response, or within it; or nothing is ever sent. */
  readonly breaks?: 'before' | 'within' | 'never';
}

type Responder = (review: Review) => WebhookResponse;

/** A local webhook that converts ships: `name` in v1 is `title` in v2. */
export async function startConversionWebhook(scratchDir: string): Promise<ConversionWebhook> {
  const webhook: Pick<ConversionWebhook, 'calls' | 'answer' | 'converted'> = {
    calls: [],
    answer: undefined,
    converted,
  };
  const server = await startHttpsServer({ folder: join(scratchDir, 'webhook') }, (request, response) => {
    if (request.method !== 'POST') {
      send(response, { code: 405, body: 'asked again' });
      return;
    }
    void jsonOf<Review>(request).then((review) => {
      webhook.calls.push(review.request.objects.length);
      send(response, (webhook.answer ?? converted)(review));
    });
  });
  return Object.assign(webhook, {
    url: `${server.url}/convert`,
    caBundle: Buffer.from(server.authority).toString('base64'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

function send(response: ServerResponse, { code = 200, body, headers, breaks }: WebhookResponse): void {
  const isText = typeof body === 'string';
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  if (breaks === 'never') return;
  if (breaks === 'before') {
    response.destroy();
    return;
  }
  const contentType = isText ? 'text/plain' : 'application/json';
  response.writeHead(code, { 'content-type': contentType, 'content-length': bytes.length, ...headers });
  if (breaks === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

/** A server with a client, and the webhook that converts its ships. */
export interface ConvertingServer extends AsyncDisposable {
  readonly client: ApiClient;
  readonly webhook: ConversionWebhook;
}

export async function startConvertingServer(): Promise<ConvertingServer> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await startTestServer());
  const webhook = opened.use(await startConversionWebhook(server.scratchDir));
  const client = opened.use(await ApiClient.connect(server));
  const running = opened.move();
  return { client, webhook, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** A definition of ships that the webhook converts. */
export function convertedShips(
  { url, caBundle }: Pick<ConversionWebhook, 'url' | 'caBundle'>,
  versions: Ships['versions'],
  conversionReviewVersions: readonly string[] = ['v1'],
): object {
  const clientConfig = { url, caBundle };
  return ships({ versions, conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions, clientConfig } } });
}

/** A definition of ships with a status and a scale, of which each version has a field of its own. */
export function scaledShips(webhook: ConversionWebhook): object {
  const [text, number] = [{ type: 'string' }, { type: 'integer' }];
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  };
  const version = (name: string, field: string) => ({
    name,
    subresources,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { [field]: text, replicas: number } },
          status: { type: 'object', properties: { phase: text, replicas: number } },
        },
      },
    },
  });
  return convertedShips(webhook, [version('v1', 'name'), version('v2', 'title')]);
}

/** What a play about ships needs of a server that is there already. In the end, the definition is gone. */
export interface ShipStage extends AsyncDisposable {
  readonly client: ApiClient;
  readonly webhook: ConversionWebhook;
  readonly scratchDir: string;
}

export async function openShipStage(server: {
  readonly url: string;
  readonly kubeconfigPath: string;
}): Promise<ShipStage> {
  await using opened = new AsyncDisposableStack();
  const scratchDir = await mkdtemp(join(tmpdir(), 'binnacle-ships-'));
  opened.defer(() => rm(scratchDir, { recursive: true, force: true }));
  const webhook = opened.use(await startConversionWebhook(scratchDir));
  const client = opened.use(await ApiClient.connect(server));
  opened.defer(async () => {
    webhook.answer = undefined;
    await removeShips(client);
  });
  const running = opened.move();
  return { client, webhook, scratchDir, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Resolves when both versions are served. */
export async function shipsServed(client: ApiClient): Promise<void> {
  for (const version of ['v1', 'v2']) {
    while ((await client.exchange('GET', shipsPath(version), {})).code !== 200) await sleep(50);
  }
}

/** Deletes the definition, and resolves when it is gone. */
export async function removeShips(client: ApiClient): Promise<void> {
  const path = `${definitionsPath}/ships.${group}`;
  await client.send('DELETE', path);
  while ((await client.send('GET', path)).code !== 404) await sleep(50);
}

function converted({ request }: Review): WebhookResponse {
  const { uid, desiredAPIVersion } = request;
  const convertedObjects = request.objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: convertedSpec(object.spec ?? {}, desiredAPIVersion),
  }));
  return { body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects }) };
}

function convertedSpec({ name, title, ...more }: NonNullable<Convertible['spec']>, apiVersion: string): object {
  return apiVersion.endsWith('/v2') ? { ...more, title: name } : { ...more, name: title };
}

export function reviewOf(response: object): object {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response };
}
