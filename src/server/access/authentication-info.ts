import { Attempts } from '../../api/scheduling/attempts.ts';
import { isDeepStrictEqual } from 'node:util';
import { isReason } from '../../api/errors/status.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { Mirror, type ObjectName } from '../../api/client/mirror.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { type ClusterInfo, combinedClusterInfo, type OwnInfo } from '../../authentication/cluster-info.ts';
import { type FrontProxy, frontProxyHeaders } from '../../authentication/pki/front-proxy.ts';
import { deleteNamed } from '../../operations/delete.ts';
import type { Operation } from '../../operations/operation.ts';
import { noOptions } from '../../registry/kinds/delete-options.ts';
import { changeObject } from '../../system/bootstrap-objects.ts';
import type { ServerConfig } from '../config.ts';
import { accessClient } from './rbac-parts.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import { systemOperation } from '../../system/system-operation.ts';

const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';
const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace };
/** Certificates expire without anybody changing anything. */
const intervalMs = 60_000;
/** Attempts of one write; the next write comes with a change, or in time. */
const maxAttempts = 8;

export interface AuthenticationInfoOptions extends PartContext {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  /** PEM of the authority that signs the administrator's certificate. */
  readonly authority: string;
  /** Undefined where flags say how users are named to other API servers. */
  readonly frontProxy: FrontProxy | undefined;
}

/**
 * Maintains the ConfigMap from which other API servers learn how this one authenticates users, and restores it when it
 * is changed or removed.
 */
export class AuthenticationInfo implements AsyncDisposable {
  readonly #options: AuthenticationInfoOptions;
  readonly #attempts: Attempts;
  readonly #stop = new AbortController();
  #own: OwnInfo;
  #writing: Promise<void> = Promise.resolve();

  private constructor(options: AuthenticationInfoOptions, own: OwnInfo) {
    this.#options = options;
    this.#attempts = new Attempts({ onError: options.onError });
    this.#own = own;
  }

  /** Reads the authorities, and again when their files change. */
  static async open(options: AuthenticationInfoOptions): Promise<AuthenticationInfo> {
    const { config, authority, readFile } = options;
    const { clientCaFile, requestHeader } = config.authentication;
    const withOwn = (more: string): string => `${authority}\n${more}`;
    const read = async (path: string | undefined, changed: (pem: string) => void): Promise<string | undefined> =>
      path === undefined ? undefined : readFile(path, changed);
    const [clientCa = '', proxyCa] = await Promise.all([
      read(clientCaFile, (pem) => info.#replace({ clientCa: withOwn(pem) })),
      read(requestHeader.clientCaFile, (pem) => info.#replace({ proxyCa: pem })),
    ]);
    const knowsUids = gatesByConfig(config.api).get('RemoteRequestHeaderUID') === true;
    const info = new AuthenticationInfo(options, { clientCa: withOwn(clientCa), proxyCa, requestHeader, knowsUids });
    return info;
  }

  /** Resolves when it is told, or could not be; from then on sees to it that it stays. */
  async tell(): Promise<void> {
    const { frontProxy } = this.#options;
    if (frontProxy !== undefined) {
      this.#own = { ...this.#own, proxyCa: await frontProxy.authority(), requestHeader: frontProxyHeaders };
    }
    await this.#write();
    if (!this.#stop.signal.aborted) this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#writing;
  }

  #replace(changed: Partial<OwnInfo>): void {
    this.#own = { ...this.#own, ...changed };
    void this.#write();
  }

  #follow(): void {
    const { onError } = this.#options;
    const { signal } = this.#stop;
    const notice = (changed: ObjectName): void => {
      if (changed.name === name) void this.#write();
    };
    const client = accessClient(this.#options.scopes, this.#options);
    const mirror = new Mirror({
      client,
      collection: configMaps,
      onError,
      signal,
      set: ({ metadata }) =>
        notice({
          namespace,
          name: metadata.name ?? '',
        }),
      remove: notice,
    });
    void mirror.startRetrying();
    const timer = setInterval(() => void this.#write(), intervalMs).unref();
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** One after the other. */
  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeRetrying());
    return this.#writing;
  }

  async #writeRetrying(): Promise<void> {
    const { signal } = this.#stop;
    for (let left = maxAttempts - 1; !signal.aborted; left -= 1) {
      try {
        await this.#writeOnce();
        this.#attempts.succeeded();
        this.#attempts.startOver();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#attempts.failed(error);
        if (left === 0) return;
        await this.#attempts.pause(signal);
      }
    }
  }

  async #writeOnce(): Promise<void> {
    const operation = this.#operation();
    const nowMs = this.#options.clock.now();
    try {
      await changeObject(operation, name, (old) => {
        // Data of a ConfigMap are texts.
        const published = (old?.['data'] ?? {}) as ClusterInfo;
        const data = combinedClusterInfo(published, this.#own, nowMs);
        const object = old ?? { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace } };
        return isDeepStrictEqual(published, data) ? object : { ...object, data: data as JsonObject };
      });
    } catch (error) {
      // What servers have added over the years no longer fits: start again from what they know now.
      if (isReason(error, 'Invalid') && String(error).includes('Too long'))
        await deleteNamed(operation, name, noOptions);
      throw error;
    }
  }

  #operation(): Operation {
    const { scopes, clock } = this.#options;
    const kinds = scopes.now;
    const scope = kinds.scopeOf('', 'v1', 'configmaps');
    if (scope === undefined) throw new Error('ConfigMaps are not served');
    return systemOperation(scope, { kinds, clock, namespace });
  }
}
