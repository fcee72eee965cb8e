import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn, msUntil } from '../api/time/deadline.ts';
import type { GroupResource } from '../api/meta/group-version.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { ResourceEncryption } from '../storage/encryption/encrypted-storage.ts';
import { EncryptionFileError, parseConfiguration, unreadableFile } from './configuration/configuration-file.ts';
import type { EncryptionMetrics } from './encryption-metrics.ts';
import { hashOf } from '../api/metrics/hash-label.ts';
import {
  checkPlugins,
  type LoadedEncryption,
  loadEncryption,
  type ResourceRule,
  unencrypted,
} from './loaded-encryption.ts';

export interface EncryptionOptions {
  /** The path of the `--encryption-provider-config` file. */
  readonly path: string;
  /** Reads the file again when it changes. */
  readonly reload: boolean;
  readonly context: Pick<PartContext, 'clock' | 'readFile' | 'onStop' | 'onError'>;
  readonly metrics: EncryptionMetrics;
  /** Gate KMSv1. */
  readonly allowsKmsV1: boolean;
}

/** A check for `/healthz` and `/readyz`. */
export interface EncryptionCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
}

/** How long the plugins of a new configuration have to become healthy. */
const healthyWithinMs = 10_000;
const askEveryMs = 100;
/** A new configuration whose plugins do not answer is tried again. */
const retryMs = 10_000;

/** How the resources of a store are encrypted: what a file says, also when it changes. */
export class Encryption {
  readonly #options: LoadOptions;
  readonly #listeners = new Set<() => void>();
  readonly #recoveries: Set<() => void>;
  #loaded: LoadedEncryption;
  #text: string;
  /** The text that is being read or tried again. */
  #wanted: string;
  #reloading = Promise.resolve();
  #stopped = false;

  private constructor(options: LoadOptions, loaded: LoadedEncryption, text: string) {
    this.#options = options;
    this.#recoveries = options.recoveries;
    this.#loaded = loaded;
    this.#text = text;
    this.#wanted = text;
  }

  /** Throws an EncryptionFileError. */
  static async open(options: EncryptionOptions): Promise<Encryption> {
    const { path, reload, context, metrics } = options;
    const opened: Encryption[] = [];
    const changed = (text: string): Promise<void> | undefined => opened[0]?.reload(text);
    const text = await context.readFile(path, ...(reload ? [changed] : [])).catch((error: unknown) => {
      throw unreadableFile(path, error);
    });
    const loading = { ...options, recoveries: new Set<() => void>() };
    const encryption = new Encryption(loading, await load(text, loading), text);
    opened.push(encryption);
    context.onStop(() => encryption.#stop());
    metrics.inUse(hashOf(text));
    return encryption;
  }

  /** Undefined for a resource that is never encrypted. */
  of(resource: GroupResource): ResourceEncryption | undefined {
    if (!this.#options.reload && this.#loaded.ruleOf(resource) === undefined) return undefined;
    return new FollowedResource(resource, {
      ruleOf: () => this.#loaded.ruleOf(resource) ?? unencrypted,
      onReload: (reloaded) => listening(this.#listeners, reloaded),
      onRecovery: (recovered) => listening(this.#recoveries, recovered),
    });
  }

  /** One for all plugins, whichever there are, or one for each. */
  get checks(): readonly EncryptionCheck[] {
    const { plugins } = this.#loaded;
    const areNew = plugins.length > 0 && plugins.every(({ version }) => version === 'v2');
    if (this.#options.reload || areNew) {
      return [{ name: 'kms-providers', check: () => checkPlugins(this.#loaded.plugins) }];
    }
    return plugins.map(({ check }, index) => ({ name: `kms-provider-${index}`, check }));
  }

  /** Takes over a new text of the file. Rejects if it is invalid or its plugins are not healthy. */
  reload(text: string): Promise<void> {
    this.#wanted = text;
    const done = this.#reloading.then(() => this.#reloadNow(text));
    this.#reloading = done.catch(() => undefined);
    return done;
  }

  async #reloadNow(text: string): Promise<void> {
    if (this.#stopped || text === this.#text || text !== this.#wanted) return;
    const { metrics } = this.#options;
    try {
      const loaded = await load(text, this.#options);
      await healthy(loaded).catch((error: unknown) => {
        loaded.close();
        throw error;
      });
      this.#replace(loaded, text);
      metrics.reloaded('success');
      metrics.inUse(hashOf(text));
    } catch (error) {
      metrics.reloaded('failure');
      if (!(error instanceof EncryptionFileError)) this.#tryAgain(text);
      throw error;
    }
  }

  #replace(loaded: LoadedEncryption, text: string): void {
    const former = this.#loaded;
    this.#loaded = loaded;
    this.#text = text;
    for (const reloaded of this.#listeners) reloaded();
    // Values that are being read and written with the former one are not given up.
    setTimeout(() => former.close(), graceMsOf(former)).unref();
  }

  #tryAgain(text: string): void {
    const again = (): void => void this.reload(text).catch(this.#options.context.onError);
    setTimeout(() => text === this.#wanted && again(), retryMs).unref();
  }

  #stop(): void {
    this.#stopped = true;
    this.#loaded.close();
  }
}

/** The options of the configurations that follow one another. */
interface LoadOptions extends EncryptionOptions {
  /** Called when a plugin is healthy again. */
  readonly recoveries: Set<() => void>;
}

async function load(text: string, { path, reload, context, metrics, allowsKmsV1, recoveries }: LoadOptions) {
  const { clock, onError } = context;
  return await loadEncryption(await parseConfiguration(text, { path, reload }), {
    metrics,
    clock,
    allowsKmsV1,
    onError,
    recovered: () => recoveries.forEach((recovered) => recovered()),
  });
}

/** Twice what a check of all plugins takes. */
function graceMsOf({ plugins }: LoadedEncryption): number {
  return 2 * plugins.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0);
}

async function healthy(loaded: LoadedEncryption): Promise<void> {
  const untilMs = deadlineIn(Math.max(healthyWithinMs, graceMsOf(loaded)));
  for (;;) {
    try {
      await checkPlugins(loaded.plugins);
      return;
    } catch (error) {
      if (msUntil(untilMs) > 0) {
        await sleep(askEveryMs, undefined, { ref: false });
        continue;
      }
      const why = error instanceof Error ? error.message : String(error);
      const message = `health check for new transformers failed, polling error context deadline exceeded: ${why}`;
      throw new Error(message, { cause: error });
    }
  }
}

interface RuleSource {
  readonly ruleOf: () => ResourceRule;
  readonly onReload: (reloaded: () => void) => Disposable;
  readonly onRecovery: (recovered: () => void) => Disposable;
}

function listening(listeners: Set<() => void>, listener: () => void): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}

/** One resource, as the configuration in use has it. */
class FollowedResource implements ResourceEncryption {
  readonly resource: string;
  readonly #source: RuleSource;

  constructor({ group, resource }: GroupResource, source: RuleSource) {
    this.resource = group === '' ? resource : `${resource}.${group}`;
    this.#source = source;
  }

  readonly read: ResourceEncryption['read'] = (stored, place) => this.#source.ruleOf().transformer.read(stored, place);

  readonly write: ResourceEncryption['write'] = (value, place) => this.#source.ruleOf().transformer.write(value, place);

  readonly onRecovery: ResourceEncryption['onRecovery'] = (recovered) => this.#source.onRecovery(recovered);

  onChange(changed: () => void): Disposable {
    let { digest } = this.#source.ruleOf();
    return this.#source.onReload(() => {
      const { digest: now } = this.#source.ruleOf();
      if (now === digest) return;
      digest = now;
      changed();
    });
  }
}
