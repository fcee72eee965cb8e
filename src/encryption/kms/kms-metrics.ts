import { randomBytes } from 'node:crypto';
import { secondsSince } from '../../api/time/seconds-since.ts';
import type { Transformation } from '../../storage/encryption/prefixed.ts';
import type { EncryptionMetrics } from '../encryption-metrics.ts';
import { hashOf } from '../../api/metrics/hash-label.ts';
import { statusOf } from './kms-connection.ts';

type Direction = Transformation['type'];

/** Counts the use of one plugin. */
export class KmsMetrics {
  readonly #metrics: EncryptionMetrics;
  readonly #provider: string;

  constructor(metrics: EncryptionMetrics, provider: string) {
    this.#metrics = metrics;
    this.#provider = provider;
  }

  /** A value with a key of its own was read or written. */
  arrived(direction: Direction): void {
    this.#metrics.arrived(direction);
  }

  /** A secret, and how long it took. */
  generated(bytes: number): Buffer {
    const beganMs = performance.now();
    const secret = randomBytes(bytes);
    this.#metrics.keySeconds.observe(secondsSince(beganMs));
    return secret;
  }

  /** The plugin was asked for a key that was not known. */
  missed(): void {
    this.#metrics.cacheMisses.add();
  }

  filled(share: number): void {
    this.#metrics.cacheFill.set(share);
  }

  cached(secrets: number): void {
    this.#metrics.cacheSize.set(secrets, { provider_name: this.#provider });
  }

  called(method: string, seconds: number, error: unknown): void {
    const labels = { provider_name: this.#provider, method_name: method, grpc_status_code: statusOf(error) };
    this.#metrics.callSeconds.observe(seconds, labels);
  }

  usedKey(direction: Direction, keyId: string): void {
    this.#metrics.usedKey(direction, this.#provider, hashOf(keyId));
  }

  namedKey(keyId: string): void {
    this.#metrics.namedKey(this.#provider, hashOf(keyId));
  }

  invalidKey(code: string): void {
    this.#metrics.invalidKeys.add({ provider_name: this.#provider, error: code });
  }
}
