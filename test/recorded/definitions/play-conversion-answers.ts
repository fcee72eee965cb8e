import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient, type Request } from '../../api-client.ts';
import { startHttpsServer } from '../../https-server.ts';
import { conversionResponses, noResponse } from './conversion-answers.ts';
import {
  type ConversionWebhook,
  openShipStage,
  scaledShips,
  shipsServed,
} from '../../definitions/conversion-webhook.ts';
import { definitionsPath, group, ship, shipsPath } from '../../definitions/definitions.ts';

/* Requests through the storage version (v1) and another one (v2) while the webhook answers in an unusual way, or cannot
   be reached. */

/** Responses by step, in short. */
export type PlayedResponses = { readonly [step: string]: string };

const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const definitionPath = `${definitionsPath}/ships.${group}`;

type Sent = readonly [method: string, path: string, request: Request];

function requestsOf(version: string): { readonly [name: string]: Sent } {
  const spec = version === 'v1' ? { name: 'b' } : { title: 'b' };
  const dry = 'dryRun=All&fieldManager=m';
  const labels = { body: { metadata: { labels: { a: version } } }, contentType: merge };
  return {
    get: ['GET', '/one', {}],
    list: ['GET', '', {}],
    'list at any version': ['GET', '?resourceVersion=0', {}],
    create: ['POST', `?${dry}`, { body: ship('new', spec, version) }],
    'create again': ['POST', `?${dry}`, { body: ship('one', spec, version) }],
    put: ['PUT', `/one?${dry}`, { body: { ...ship('one', spec, version), metadata: { name: 'one' } } }],
    merge: ['PATCH', `/one?${dry}`, labels],
    apply: ['PATCH', `/one?${dry}&force=true`, { body: ship('one', spec, version), contentType: apply }],
    'apply anew': ['PATCH', `/new?${dry}`, { body: ship('new', spec, version), contentType: apply }],
    'merge the status': ['PATCH', `/one/status?${dry}`, { body: { status: { phase: 'r' } }, contentType: merge }],
    'get the scale': ['GET', '/one/scale', {}],
    'merge the scale': ['PATCH', `/one/scale?${dry}`, { body: { spec: { replicas: 3 } }, contentType: merge }],
    delete: ['DELETE', '/one?dryRun=All', {}],
    'delete all': ['DELETE', '?dryRun=All', {}],
  };
}

export async function playConversionResponses(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedResponses> {
  await using stage = await openShipStage(server);
  const { client, webhook, scratchDir: scratch } = stage;
  await client.send('POST', definitionsPath, { body: scaledShips(webhook) });
  await shipsServed(client);
  const body = { ...ship('one', { name: 'a', replicas: 1 }), status: { phase: 'p' } };
  await client.send('POST', `${shipsPath()}?fieldManager=maker`, { body });
  await client.send('PATCH', `${shipsPath()}/one/status`, { body: { status: { phase: 'p' } }, contentType: merge });
  // Lists show what has been converted before.
  await client.send('GET', shipsPath('v2'));
  await sleep(settleMs);
  const results: { [step: string]: string } = {};
  for (const [name, answer] of Object.entries(conversionResponses)) {
    await playRequests({ client, webhook, results }, name, answer);
  }
  await playSilence({ client, webhook, results });
  await playUnreachable({ client, webhook, results }, { scratch, settleMs });
  return results;
}

interface Stage {
  readonly client: ApiClient;
  readonly webhook: ConversionWebhook;
  readonly results: { [step: string]: string };
}

/** Requests through the storage version need no webhook, whatever it answers. */
async function playRequests(
  { client, webhook, results }: Stage,
  name: string,
  answer: ConversionWebhook['answer'],
): Promise<void> {
  for (const version of name === 'code 503' ? ['v1', 'v2'] : ['v2']) {
    for (const [request, [method, path, sent]] of Object.entries(requestsOf(version))) {
      webhook.answer = answer;
      results[`${name}, ${version}: ${request}`] = await answered(client, [
        method,
        `${shipsPath(version)}${path}`,
        sent,
      ]);
      webhook.answer = undefined;
    }
  }
}

async function answered(client: ApiClient, [method, path, request]: Sent): Promise<string> {
  try {
    const { code, text } = await client.exchange(method, path, request);
    return shortOf(code, JSON.parse(text) as JsonObject);
  } catch (error) {
    // The reference resets the stream when it panics.
    return error instanceof Error ? error.message : String(error);
  }
}

/** A request ends with its own timeout, and the webhook's is ten times as long. */
async function playSilence({ client, webhook, results }: Stage): Promise<void> {
  webhook.answer = noResponse;
  const requests = Object.entries(requestsOf('v2')).map(async ([request, [method, path, sent]]) => {
    const query = `${path.includes('?') ? '&' : '?'}timeout=1s`;
    results[`no answer, v2: ${request}`] = await answered(client, [method, `${shipsPath('v2')}${path}${query}`, sent]);
  });
  await Promise.all(requests);
  webhook.answer = undefined;
}

async function playUnreachable(
  stage: Stage,
  { scratch, settleMs }: { readonly scratch: string; readonly settleMs: number },
): Promise<void> {
  const { client, webhook } = stage;
  await using stranger = await startHttpsServer({ folder: join(scratch, 'stranger') }, (_, response) => response.end());
  const { url, caBundle } = webhook;
  const strange = Buffer.from(stranger.authority).toString('base64');
  const service = { namespace: 'default', name: 'kubernetes-not', path: '/convert' };
  const clientConfigs: { readonly [name: string]: object } = {
    'a closed port': { url: 'https://127.0.0.1:1/convert', caBundle },
    'another authority': { url, caBundle: strange },
    'no authority': { url },
    'an unknown service': { service, caBundle },
    'a service without endpoints': { service: { ...service, name: 'lonely' }, caBundle },
    'another port of a service': { service: { ...service, name: 'lonely', port: 444 }, caBundle },
  };
  const lonely = { metadata: { name: 'lonely' }, spec: { ports: [{ port: 443 }], selector: { app: 'none' } } };
  await client.send('POST', '/api/v1/namespaces/default/services', { body: lonely });
  for (const [name, clientConfig] of Object.entries(clientConfigs)) {
    const value = { ...clientConfig };
    const body = [{ op: 'replace', path: '/spec/conversion/webhook/clientConfig', value }];
    await client.send('PATCH', definitionPath, { body, contentType: 'application/json-patch+json' });
    await sleep(settleMs);
    await playRequests(stage, name, undefined);
  }
  await client.send('DELETE', '/api/v1/namespaces/default/services/lonely');
}

const varying =
  /(revision=|version: |current: |127\.0\.0\.1:(?!1\b))[1-9]\d*|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:]+Z/g;

function shortOf(code: number, body: JsonObject): string {
  const { kind, status, items, reason = '', message = '', details = null } = body;
  const shown =
    kind === 'Status' || status === 'Failure'
      ? { reason, message, ...(isRepeated(message, details) ? {} : { details }) }
      : Array.isArray(items)
        ? { items: items.map((item) => (isJsonObject(item) ? objectOf(item) : item)) }
        : objectOf(body);
  return `${code} ${JSON.stringify(shown)}`.replaceAll(varying, (_, start: string | undefined) => `${start ?? ''}N`);
}

/** Whether details say no more than the message. */
function isRepeated(message: JsonValue, details: JsonValue): boolean {
  return typeof message === 'string' && JSON.stringify(details).includes(message.slice(-40));
}

function objectOf({ kind = '', metadata, spec = null, status = null }: JsonObject): JsonObject {
  const {
    generation = null,
    labels = null,
    annotations = null,
    finalizers = null,
  } = isJsonObject(metadata) ? metadata : {};
  return { kind, generation, labels, annotations, finalizers, spec, status };
}
