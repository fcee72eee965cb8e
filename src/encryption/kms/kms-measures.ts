import { randomBytes } from 'node:crypto';
import { secondsSince } from '../../api/time/seconds-since.ts';
import type { Transformation } from '../../storage/encryption/prefixed.ts';
import type { EncryptionMeasures } from '../encryption-measures.ts';
import { hashOf } from '../hash-label.ts';
import { statusOf } from './kms-connection.ts';

type Direction = Transformation['type'];

/** Counts the use of one plugin. */
export class KmsMeasures {
  readonly #measures: EncryptionMeasures;
  readonly #provider: string;

  constructor(measures: EncryptionMeasures, provider: string) {
    this.#measures = measures;
    this.#provider = provider;
  }

  /** A value with a key of its own was read or written. */
  arrived(direction: Direction): void {
    this.#measures.arrived(direction);
  }

  /** A secret, and how long it took. */
  generated(bytes: number): Buffer {
    const beganMs = performance.now();
    const secret = randomBytes(bytes);
    this.#measures.keySeconds.observe(secondsSince(beganMs));
    return secret;
  }

  /** The plugin was asked for a key that was not known. */
  missed(): void {
    this.#measures.cacheMisses.add();
  }

  filled(share: number): void {
    this.#measures.cacheFill.set(share);
  }

  cached(secrets: number): void {
    this.#measures.cacheSize.set(secrets, { provider_name: this.#provider });
  }

  called(method: string, seconds: number, error: unknown): void {
    const labels = { provider_name: this.#provider, method_name: method, grpc_status_code: statusOf(error) };
    this.#measures.callSeconds.observe(seconds, labels);
  }

  usedKey(direction: Direction, keyId: string): void {
    this.#measures.usedKey(direction, this.#provider, hashOf(keyId));
  }

  toldKey(keyId: string): void {
    this.#measures.toldKey(this.#provider, hashOf(keyId));
  }

  invalidKey(code: string): void {
    this.#measures.invalidKeys.add({ provider_name: this.#provider, error: code });
  }
}
