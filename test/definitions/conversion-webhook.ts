import { join } from 'node:path';
import { ApiClient } from '../api-client.ts';
import { jsonOf, startHttpsServer } from '../https-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { ships, type Ships } from './definitions.ts';

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
  answer: Answer | undefined;
  /** Its usual response. */
  readonly converted: Answer;
}

type Answer = (review: Review) => { readonly code?: number; readonly body: unknown };

/** A local webhook that converts ships: `name` in v1 is `title` in v2. */
export async function startConversionWebhook(scratchDir: string): Promise<ConversionWebhook> {
  const webhook: Pick<ConversionWebhook, 'calls' | 'answer' | 'converted'> = {
    calls: [],
    answer: undefined,
    converted,
  };
  const server = await startHttpsServer({ folder: join(scratchDir, 'webhook') }, (request, response) => {
    void jsonOf<Review>(request).then((review) => {
      webhook.calls.push(review.request.objects.length);
      const { code = 200, body } = (webhook.answer ?? converted)(review);
      const isText = typeof body === 'string';
      response.writeHead(code, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  return Object.assign(webhook, {
    url: `${server.url}/convert`,
    caBundle: Buffer.from(server.authority).toString('base64'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
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

function converted({ request }: Review): { readonly code?: number; readonly body: unknown } {
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
