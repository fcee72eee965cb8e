import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../src/api/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';

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
  answer: ((review: Review) => { readonly code?: number; readonly body: unknown }) | undefined;
}

/** A local webhook that converts ships: `name` in v1 is `title` in v2. */
export async function startConversionWebhook(scratchDir: string): Promise<ConversionWebhook> {
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const folder = join(scratchDir, 'webhook');
  const { server: pair, authority } = await openCertificateStore({ folder, serverNames: names, clock: systemClock });
  const webhook: { calls: number[]; answer: ConversionWebhook['answer'] } = { calls: [], answer: undefined };
  const server: Server = createServer({ key: pair.key, cert: pair.certificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
      webhook.calls.push(review.request.objects.length);
      const { code = 200, body } = (webhook.answer ?? converted)(review);
      const isText = typeof body === 'string';
      response.writeHead(code, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(webhook, {
    url: `https://127.0.0.1:${port}/convert`,
    caBundle: Buffer.from(authority).toString('base64'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function converted({ request }: Review): { readonly code?: number; readonly body: unknown } {
  const { uid, desiredAPIVersion } = request;
  const convertedObjects = request.objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('/v2') ? { title: object.spec?.name } : { name: object.spec?.title },
  }));
  return { body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects }) };
}

export function reviewOf(response: object): object {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response };
}
