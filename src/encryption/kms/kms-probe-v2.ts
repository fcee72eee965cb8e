import { randomUUID } from 'node:crypto';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { seedBytes } from '../../storage/encryption/extended-nonce.ts';
import { KeyServiceError } from '../../storage/encryption/transformer.ts';
import { hashOf } from '../../api/metrics/hash-label.ts';
import { checkDekSource, type DekSource, dekSources, keyIdProblem } from './encrypted-object.ts';
import { cipherOf, idOf, wrapped, type WriteState } from './envelope-v2.ts';
import { type HealthContext, RememberedHealth } from './kms-health.ts';
import type { KmsMetrics } from './kms-metrics.ts';
import type { KmsServiceV2, KmsStatus } from './kms-service-v2.ts';

/** How often the plugin is asked for its key: while it is healthy, and while it is not. */
const healthyMs = 60_000;
const unhealthyMs = 10_000;
/** How long writes go on with the last key of a plugin that fails. */
const writableMs = 180_000;

export interface ProbeOptions extends HealthContext {
  readonly name: string;
  readonly service: KmsServiceV2;
  readonly metrics: KmsMetrics;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows the key of a plugin of the second version: when the plugin names another key, a new secret is made for what
 * is written from then on.
 *
 * | the plugin | reads | writes |
 * |---|---|---|
 * | has never answered | fail | fail |
 * | is healthy | succeed | succeed |
 * | fails | succeed if their secret is known | succeed for three minutes |
 */
export class KmsProbeV2 implements Disposable {
  readonly #options: ProbeOptions;
  readonly #health: RememberedHealth;
  #state: WriteState | undefined;
  /** The version of the protocol that the plugin first reported. */
  #version = '';
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#health = new RememberedHealth(() => this.#ask(), options);
  }

  /** Asks once, then keeps asking. A plugin that does not answer yet is no reason not to start. */
  async begin(): Promise<void> {
    let nextMs = healthyMs;
    try {
      await this.check();
    } catch (error) {
      nextMs = unhealthyMs;
      this.#options.onError(error);
    }
    if (!this.#ended) this.#timer = setTimeout(() => void this.begin(), nextMs).unref();
  }

  check(): Promise<void> {
    return this.#health.check();
  }

  /** Throws a KeyServiceError before the plugin has given a key. */
  readonly state = (): WriteState => {
    if (this.#state === undefined) throw new KeyServiceError('got unexpected nil transformer');
    return this.#state;
  };

  readonly checkWritable = ({ source, expiresMs }: WriteState): void => {
    const now = this.#options.clock.now();
    if (now <= expiresMs) return;
    const reason = `expired at ${timeText(expiresMs)} (current time is ${timeText(now)})`;
    throw new KeyServiceError(`encryptedDEKSource with keyID hash ${goQuote(hashOf(source.keyId))} ${reason}`);
  };

  [Symbol.dispose](): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { name, service } = this.#options;
    const status = await service.status().catch((error: unknown) => {
      throw wrapped(`failed to perform status section of the healthz check for KMS Provider ${name}, error`, error);
    });
    const problems = this.#problemsOf(status);
    problems.push(...(await this.#follow(status.keyId)));
    if (problems.length === 0) return;
    throw new KeyServiceError(`kmsv2 Provider ${name} is not healthy, error: ${joinedErrors(problems)}`);
  }

  #problemsOf({ healthz, version }: KmsStatus): string[] {
    const problems = healthz === 'ok' ? [] : [`got unexpected healthz status: ${healthz}`];
    if (version !== 'v2' && version !== 'v2beta1') {
      return [...problems, `expected KMSv2 API version v2, got ${version}`];
    }
    this.#version ||= version;
    if (this.#version !== version) {
      const first = `the initial status response version ${this.#version}`;
      problems.push(`KMSv2 API version should not change after ${first}, got ${version}`);
    }
    return problems;
  }

  async #follow(keyId: string): Promise<readonly string[]> {
    const { metrics } = this.#options;
    const problem = keyIdProblem(keyId);
    if (problem !== undefined) {
      metrics.invalidKey(problem.code);
      return [`got invalid KMSv2 KeyID hash ${goQuote(hashOf(keyId))}: ${problem.message}`];
    }
    metrics.namedKey(keyId);
    return await this.#rotate(keyId);
  }

  async #rotate(keyId: string): Promise<readonly string[]> {
    const state = this.#state;
    // Counted from before the call: the time is a maximum.
    const expiresMs = this.#options.clock.now() + writableMs;
    if (state?.source.keyId === keyId) {
      this.#state = { ...state, expiresMs };
      return [];
    }
    const uid = randomUUID();
    const made = await this.#makeSource().catch((error: unknown) => ({ error }));
    if (!('error' in made) && made.source.keyId === keyId) {
      this.#state = { ...made, id: idOf(made.source), expiresMs };
      return [];
    }
    const hash = (id: string | undefined): string => goQuote(id === undefined ? '' : hashOf(id));
    return [
      [
        `failed to rotate DEK uid=${goQuote(uid)}, useSeed=true`,
        `errState=${state === undefined ? 'got unexpected nil transformer' : '<nil>'}`,
        `errGen=${'error' in made ? text(made.error) : '<nil>'}`,
        `statusKeyIDHash=${hash(keyId)}`,
        `encryptKeyIDHash=${hash('error' in made ? undefined : made.source.keyId)}`,
        `stateKeyIDHash=${hash(state?.source.keyId)}`,
        `expirationTimestamp=${state === undefined ? '0001-01-01T00:00:00Z' : timeText(state.expiresMs)}`,
      ].join(', '),
    ];
  }

  async #makeSource(): Promise<Pick<WriteState, 'source' | 'cipher'>> {
    const { service, metrics } = this.#options;
    const secret = metrics.generated(seedBytes);
    const encrypted = await service.encrypt(secret).catch((error: unknown) => {
      throw wrapped('failed to encrypt DEK, error', error);
    });
    const source: DekSource = { ...encrypted, type: dekSources.seed };
    checkDekSource(source);
    return { source, cipher: cipherOf(source.type, secret) };
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** RFC 3339, without fractions. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
