import type { Egress } from '../../api/contracts/egress.ts';
import type { Log } from '../../api/contracts/log.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { isReason, StatusError } from '../../api/errors/status.ts';
import { CallError } from '../call-error.ts';
import type { CertificateCounts } from '../certificate-counts.ts';
import { type Call, HttpCaller } from '../http-call.ts';
import { joinedPath } from '../joined-path.ts';
import { refusalOf } from '../refused-call.ts';
import { withRequestedRetries } from '../retries.ts';
import type { ServiceAddress, ServiceResolver } from '../service-resolver.ts';
import { Upstream } from '../upstream.ts';
import { contentOf } from './review-webhook.ts';
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
  /** Sent to the webhook as a query parameter, in whole seconds. */
  readonly timeoutMs?: number;
  /** Larger answers are errors; 16 MiB unless given. */
  readonly maxResponseBytes?: number;
}

const defaultTimeoutMs = 30_000;
/** The size limit of the answer of a webhook that reviews one object. */
const defaultResponseBytes = 16 * 1024 * 1024;

/** Where webhooks are, and how they are called. */
export interface WebhookServers {
  readonly services: ServiceResolver;
  /** How this server identifies itself to them; absent: not at all. */
  readonly users?: WebhookUsers | undefined;
  readonly egress?: Egress | undefined;
  /** Absent: nothing is logged. */
  readonly log?: Log;
  /** Absent: nothing is counted. */
  readonly certificates?: CertificateCounts;
}

const plainHeaders = { accept: 'application/json, */*', 'content-type': 'application/json' };

/** Where a webhook is called, and how errors show that. */
interface Location {
  readonly timeoutSeconds: number;
  readonly url: URL;
  readonly shownUrl: string;
}

interface Calling {
  readonly caller: HttpCaller;
  readonly user: WebhookUser | undefined;
}

/** Posts JSON to one webhook over kept connections. */
export class WebhookClient implements Disposable {
  readonly #target: WebhookTarget;
  readonly #servers: WebhookServers;
  #calling: Promise<Calling> | undefined;
  /** The location of the last call, which the next call has as well unless its timeout differs. */
  #location: Location | undefined;

  constructor(target: WebhookTarget, servers: WebhookServers) {
    this.#target = target;
    this.#servers = servers;
  }

  /** Returns the response body. Throws a CallError, or the StatusError of an unsuccessful response. */
  async post(
    body: string | Uint8Array,
    { timeoutMs = defaultTimeoutMs, maxResponseBytes = defaultResponseBytes }: WebhookCallOptions = {},
  ): Promise<Buffer> {
    const { url, shownUrl } = this.#locationFor(Math.ceil(timeoutMs / 1_000));
    const { caller, authorization } = await this.#identified(url);
    const headers = authorization === undefined ? plainHeaders : { ...plainHeaders, authorization };
    const call: Call = { method: 'POST', url, shownUrl, headers, body, timeoutMs, maxResponseBytes };
    // Credentials are for this server only.
    const headersFor = ({ host }: URL): Call['headers'] => (host === url.host ? headers : plainHeaders);
    const response = await withRequestedRetries(call, (each) =>
      this.#target.service === undefined
        ? caller.follow(each, headersFor)
        : this.#address(shownUrl).then((address) => caller.follow({ ...each, address }, headersFor)),
    ).catch((error: unknown) => {
      this.#servers.certificates?.failed(error);
      throw error;
    });
    const refusal = refusalOf(response);
    if (refusal !== undefined) throw refusal;
    return contentOf(response);
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
    const { caBundle = '', service } = this.#target;
    const { users, egress, log } = this.#servers;
    const user = await users?.(`${hostname}:${port === '' ? 443 : port}`);
    const tls = {
      ...(caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64') }),
      ...(user?.certificate === undefined || user.key === undefined ? {} : { cert: user.certificate, key: user.key }),
    };
    // One connection would lead to one endpoint of a service, or of what balances the load of a URL.
    const upstream = new Upstream(tls, {
      http2: service === undefined && isLocal(hostname),
      egress: service === undefined ? egress?.controlplane : egress?.cluster,
    });
    return { caller: new HttpCaller(upstream, log), user };
  }

  #locationFor(timeoutSeconds: number): Location {
    if (this.#location?.timeoutSeconds === timeoutSeconds) return this.#location;
    const url = this.#url();
    url.search = `?timeout=${timeoutSeconds}s`;
    return (this.#location = { timeoutSeconds, url, shownUrl: this.#shown(url) });
  }

  #url(): URL {
    const { url: given = '', service } = this.#target;
    if (service === undefined) {
      const url = new URL(given);
      url.pathname = joinedPath(url.pathname);
      return url;
    }
    const { name = '', namespace = '', path = '', port = 443 } = service;
    return new URL(`https://${name}.${namespace}.svc:${port}${joinedPath(path)}`);
  }

  /** In errors, services always have a port. */
  #shown(url: URL): string {
    const hasPort = this.#target.service === undefined || url.port !== '';
    return hasPort ? url.href : url.href.replace(url.host, `${url.host}:443`);
  }

  /** Where a service is. Throws a CallError. */
  async #address(shownUrl: string): Promise<ServiceAddress> {
    const { name = '', namespace = '', port = 443 } = this.#target.service ?? {};
    try {
      return await this.#servers.services(namespace, name, port);
    } catch (error) {
      if (!(error instanceof CallError || error instanceof StatusError)) throw error;
      const why = isReason(error, 'NotFound') ? `service ${goQuote(name)} not found` : error.message;
      throw new CallError(`Post "${shownUrl}": ${why}`, { cause: error });
    }
  }
}

/** Whether a host is this machine. */
function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
