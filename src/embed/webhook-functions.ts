import { escapeStep } from '../api/json/json-pointer.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { json } from 'node:stream/consumers';
import { systemClock } from '../api/time/clock.ts';
import type { JsonObject } from '../api/json/json.ts';
import { issueLeaf, openAuthority } from '../authentication/pki/certificate-store.ts';
import { type Administrator, refusal } from './administrator.ts';
import { type ConversionFunctions, type ConversionRequest, convertedBy } from './conversion-functions.ts';

/** What is used of an `ApiServerWebhook`. */
interface WebhookFunction<Request = AdmissionRequest> {
  readonly name: string;
  readonly rules: readonly object[];
  readonly mutate?: (request: Request) => object | void | Promise<object | void>;
  readonly validate?: (request: Request) => readonly string[] | void | Promise<readonly string[] | void>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

interface AdmissionRequest {
  readonly uid: string;
  readonly object: Record<string, unknown> | null;
}

interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
  readonly warnings?: readonly string[];
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
}

const kinds = {
  mutate: { resource: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration' },
  validate: { resource: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration' },
} as const;

type Purpose = keyof typeof kinds;

/** Serves functions of this process to an API server as webhooks, on a port of the loopback interface. */
export class WebhookFunctions implements AsyncDisposable {
  readonly #functions: readonly WebhookFunction[];
  readonly conversions: ConversionFunctions;
  readonly #authority: string;
  readonly #server: Server;

  private constructor(
    { webhooks, conversions }: Functions<readonly WebhookFunction[]>,
    authority: string,
    server: Server,
  ) {
    this.#functions = webhooks;
    this.conversions = conversions;
    this.#authority = authority;
    this.#server = server;
  }

  /** The certificate is issued by the authority of the API server, which is made if this is its first start. */
  static async listen<Request extends AdmissionRequest>(
    { webhooks, conversions }: Functions<readonly WebhookFunction<Request>[]>,
    pkiFolder: string,
  ): Promise<WebhookFunctions> {
    const clock = systemClock;
    const authority = await openAuthority({ folder: pkiFolder, name: 'ca', clock });
    const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
    const template = { subject: { commonName: 'webhooks' }, usage: 'server', names } as const;
    const { certificate: cert, key } = await issueLeaf({ template, authority, clock });
    const server = createServer({ cert, key });
    // The API server sends all of a request.
    const called = { webhooks: webhooks as readonly WebhookFunction[], conversions };
    const started = new WebhookFunctions(called, authority.pem.certificate, server);
    server.on('request', (request, response) => void started.#serve(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  /** Has the API server call the functions. */
  async register(administrator: Administrator): Promise<void> {
    for (const { path, body } of this.#configurations()) {
      const result = await administrator.apply(path, body);
      if (result.code >= 300) throw new Error(`webhook ${path}: ${refusal(result)}`);
    }
  }

  /** A later server on the same store would call functions that are no longer there. */
  async unregister(administrator: Administrator): Promise<void> {
    for (const { path } of this.#configurations()) await administrator.send('DELETE', path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  /** How the API server reaches the function of a definition. */
  readonly conversionClient = (definition: string): JsonObject =>
    this.#clientConfig(`${conversionPath}/${encodeURIComponent(definition)}`);

  #clientConfig(path: string): { readonly url: string; readonly caBundle: string } {
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    const caBundle = Buffer.from(this.#authority).toString('base64');
    return { url: `https://127.0.0.1:${port}/${path}`, caBundle };
  }

  *#configurations(): Generator<{ readonly path: string; readonly body: JsonObject }> {
    for (const [index, { name, rules, settings = {}, ...functions }] of this.#functions.entries()) {
      for (const purpose of purposes) {
        if (functions[purpose] === undefined) continue;
        const { resource, kind } = kinds[purpose];
        const clientConfig = this.#clientConfig(`${index}/${purpose}`);
        const fixed = { name, rules, clientConfig, admissionReviewVersions: ['v1'] };
        const webhook = { sideEffects: 'None', ...settings, ...fixed } as unknown as JsonObject; // of options, as JSON
        const path = `/apis/admissionregistration.k8s.io/v1/${resource}/${encodeURIComponent(name)}`;
        yield {
          path,
          body: { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks: [webhook] },
        };
      }
    }
  }

  /** Undefined: there is no such function. */
  async #responseTo(
    index: string,
    purpose: string,
    request: AdmissionRequest & ConversionRequest,
  ): Promise<object | undefined> {
    if (index === conversionPath) {
      const convert = this.conversions[decodeURIComponent(purpose)];
      return convert === undefined ? undefined : await convertedBy(convert, request);
    }
    const called = this.#functions[Number(index)];
    return called === undefined || !isPurpose(purpose) ? undefined : await respond(called, purpose, request);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [, index = '', purpose = ''] = new URL(request.url ?? '/', 'https://localhost').pathname.split('/');
      const review = (await json(request)) as { readonly request: AdmissionRequest & ConversionRequest }; // of either kind
      const result = await this.#responseTo(index, purpose, review.request);
      if (result === undefined) return void response.writeHead(404).end();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...review, response: { uid: review.request.uid, ...result } }));
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  }
}

/** What is served. */
interface Functions<Webhooks> {
  readonly webhooks: Webhooks;
  readonly conversions: ConversionFunctions;
}

const conversionPath = 'conversion';

const purposes: readonly Purpose[] = ['mutate', 'validate'];

function isPurpose(text: string): text is Purpose {
  return text in kinds;
}

/** An error that a function throws denies the request. */
async function respond(
  functions: WebhookFunction,
  purpose: Purpose,
  request: AdmissionRequest,
): Promise<AdmissionResponse> {
  try {
    if (purpose === 'validate') return { allowed: true, warnings: (await functions.validate?.(request)) ?? [] };
    const before = structuredClone(request.object);
    const after = (await functions.mutate?.(request)) ?? request.object;
    const patch = Buffer.from(JSON.stringify(patchOf(before ?? {}, after ?? {}))).toString('base64');
    return { allowed: true, patchType: 'JSONPatch', patch };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
  }
}

/** Operations on the members of an object (RFC 6902) that make it another one. */
function patchOf(before: Readonly<Record<string, unknown>>, after: object): readonly object[] {
  const wanted = new Map<string, unknown>(Object.entries(after));
  const pathOf = (name: string): string => `/${escapeStep(name)}`;
  const removed = Object.keys(before).filter((name) => wanted.get(name) === undefined);
  const changed = [...wanted].filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name]));
  return [
    ...removed.map((name) => ({ op: 'remove', path: pathOf(name) })),
    // Of a member that exists, `add` replaces the value.
    ...changed.map(([name, value]) => ({ op: 'add', path: pathOf(name), value })),
  ];
}
