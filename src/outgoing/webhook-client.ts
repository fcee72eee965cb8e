import { posix } from 'node:path';
import { CallError, HttpCaller } from './http-call.ts';
import { refusalOf } from './refused-call.ts';
import type { ServiceAddress, ServiceResolver } from './service-resolver.ts';
import type { WebhookUser, WebhookUsers } from './webhook-users.ts';

/** The `clientConfig` of custom resource definitions and webhook configurations. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of PEM; empty: the system's CAs. */
  readonly caBundle?: string;
}

export interface WebhookCallOptions {
  readonly timeoutMs?: number;
  /** Sends the timeout to the webhook as a query parameter. */
  readonly namesTimeout?: boolean;
}

const defaultTimeoutMs = 30_000;
const maxAnswerBytes = 64 * 1024 * 1024;

interface Calling {
  readonly caller: HttpCaller;
  readonly user: WebhookUser | undefined;
}

/** Posts JSON to one webhook over keep-alive connections. */
export class WebhookClient implements Disposable {
  readonly #target: WebhookTarget;
  readonly #resolve: ServiceResolver;
  readonly #users: WebhookUsers | undefined;
  #calling: Promise<Calling> | undefined;

  /** `users`: absent if calls are not authenticated. */
  constructor(target: WebhookTarget, resolve: ServiceResolver, users?: WebhookUsers) {
    this.#target = target;
    this.#resolve = resolve;
    this.#users = users;
  }

  /** Returns the response body. Throws a CallError, or the StatusError of an unsuccessful response. */
  async post(
    body: string,
    { timeoutMs = defaultTimeoutMs, namesTimeout = false }: WebhookCallOptions = {},
  ): Promise<Buffer> {
    const { url, address } = await this.#address();
    const { caller, authorization } = await this.#identified(url);
    const plain = { accept: 'application/json, */*', 'content-type': 'application/json' };
    const headers = authorization === undefined ? plain : { ...plain, authorization };
    if (namesTimeout) url.search = `?timeout=${Math.ceil(timeoutMs / 1_000)}s`;
    const call = { method: 'POST', url, headers, body, timeoutMs, maxAnswerBytes } as const;
    // Credentials are for this server only.
    const answer = await caller.follow(address === undefined ? call : { ...call, address }, ({ host }) =>
      host === url.host ? headers : plain,
    );
    const refusal = refusalOf(answer);
    if (refusal !== undefined) throw refusal;
    if (answer.body.length === 0) {
      const type = answer.header('content-type') ?? '';
      throw new CallError(`0-length response with status code: ${answer.status} and content type: ${type}`);
    }
    return answer.body;
  }

  /** Closes idle connections; calls in flight complete. */
  [Symbol.dispose](): void {
    void this.#calling?.then(({ caller }) => caller.close()).catch(() => undefined);
  }

  /** Throws a CallError for credentials that cannot be read. */
  async #identified(url: URL): Promise<{ readonly caller: HttpCaller; readonly authorization: string | undefined }> {
    try {
      const { caller, user } = await (this.#calling ??= this.#prepared(url));
      return { caller, authorization: await user?.authorization() };
    } catch (error) {
      this.#calling = undefined;
      if (!(error instanceof Error)) throw error;
      throw new CallError(`credentials cannot be read: ${error.message}`, { cause: error });
    }
  }

  async #prepared({ hostname, port }: URL): Promise<Calling> {
    const { caBundle = '' } = this.#target;
    const user = await this.#users?.(`${hostname}:${port === '' ? 443 : port}`);
    const caller = new HttpCaller({
      ...(caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64') }),
      ...(user?.certificate === undefined || user.key === undefined ? {} : { cert: user.certificate, key: user.key }),
    });
    return { caller, user };
  }

  async #address(): Promise<{ readonly url: URL; readonly address?: ServiceAddress }> {
    const { url, service } = this.#target;
    if (service === undefined) return { url: new URL(url ?? '') };
    const { name = '', namespace = '', path = '', port = 443 } = service;
    return {
      url: new URL(`https://${name}.${namespace}.svc:${port}${posix.join('/', path)}`),
      address: await this.#resolve(namespace, name, port),
    };
  }
}
