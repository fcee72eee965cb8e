import { createHash } from 'node:crypto';
import { currentSpan, inSpan, type Span, type SpanAttributes } from '../../api/contracts/span.ts';
import { type Soon, soon } from '../../api/scheduling/soon.ts';
import { AesGcm } from '../../storage/encryption/aes-gcm.ts';
import { ExtendedNonceGcm } from '../../storage/encryption/extended-nonce.ts';
import {
  EncryptionError,
  KeyServiceError,
  type OpenedValue,
  type ValuePlace,
  type ValueTransformer,
} from '../../storage/encryption/transformer.ts';
import { type DekSource, dekSources, readEncryptedObject, writeEncryptedObject } from './encrypted-object.ts';
import { KmsCallError } from './kms-connection.ts';
import type { KmsMetrics } from './kms-metrics.ts';
import type { EncryptedSecret, KmsServiceV2 } from './kms-service-v2.ts';

/** What values are encrypted with, until the plugin changes its key. */
export interface WriteState {
  /** The id of `source`. */
  readonly id: string;
  readonly source: DekSource;
  readonly cipher: ValueTransformer;
  /** When the key is no longer used, by `systemClock`. */
  readonly expiresMs: number;
}

export interface EnvelopeV2Options {
  /** The provider's name. */
  readonly name: string;
  readonly service: Pick<KmsServiceV2, 'decrypt'>;
  readonly metrics: KmsMetrics;
  /** The state to write with. Throws a KeyServiceError if the plugin has not given a key yet. */
  readonly state: () => WriteState;
  /** Throws a KeyServiceError if the plugin has been silent for too long. */
  readonly checkWritable: (state: WriteState) => void;
  readonly now: () => number;
}

const keptMs = 24 * 3_600_000;

interface KnownCipher {
  readonly cipher: ValueTransformer;
  readonly untilMs: number;
}

/**
 * Envelope encryption, second version: a message with the encrypted value and what the plugin needs to decrypt its
 * secret. All values written until the plugin changes its key share the secret.
 */
export class EnvelopeV2 implements ValueTransformer {
  readonly #options: EnvelopeV2Options;
  /** By digest of the source; those used last at the end. */
  readonly #ciphers = new Map<string, KnownCipher>();
  /** Transformers whose keys the plugin is decrypting. */
  readonly #pending = new Map<string, Promise<ValueTransformer>>();

  constructor(options: EnvelopeV2Options) {
    this.#options = options;
  }

  read(stored: Uint8Array, place: ValuePlace): Soon<OpenedValue> {
    const span = currentSpan()?.child('TransformFromStorage with envelopeTransformer', this.#named());
    return span === undefined ? this.#read(stored, place) : inSpan(span, async () => this.#read(stored, place, span));
  }

  #read(stored: Uint8Array, place: ValuePlace, span?: Span): Soon<OpenedValue> {
    span?.event('About to decode encrypted object');
    const object = readEncryptedObject(stored);
    const state = this.#options.state();
    span?.event('Decoded encrypted object');
    const id = idOf(object);
    return soon(this.#ciphers.get(id)?.cipher ?? this.#decrypted(id, object), (cipher) => {
      this.#options.metrics.usedKey('from_storage', object.keyId);
      span?.event('About to decrypt data using DEK');
      return soon(cipher.read(object.data, place), ({ value, stale }) => {
        span?.event('Data decryption succeeded');
        return {
          value,
          stale: stale || object.keyId !== state.source.keyId || object.type !== state.source.type,
        };
      });
    });
  }

  write(value: Uint8Array, place: ValuePlace): Soon<readonly Uint8Array[]> {
    const span = currentSpan()?.child('TransformToStorage with envelopeTransformer', this.#named());
    return span === undefined ? this.#write(value, place) : inSpan(span, async () => this.#write(value, place, span));
  }

  #named(): SpanAttributes {
    return { 'transformer.provider.name': this.#options.name };
  }

  #write(value: Uint8Array, place: ValuePlace, span?: Span): Soon<readonly Uint8Array[]> {
    const { state: stateOf, checkWritable, metrics } = this.#options;
    const state = stateOf();
    checkWritable(state);
    const { id, source, cipher } = state;
    this.#keep(id, cipher);
    span?.event('About to encrypt data using DEK');
    return soon(cipher.write(value, place), (data) => {
      span?.event('Data encryption succeeded');
      metrics.usedKey('to_storage', source.keyId);
      span?.event('About to encode encrypted object');
      const object = writeEncryptedObject(source, data);
      span?.event('Encoded encrypted object');
      return object;
    });
  }

  /** Values of one secret ask for it together. */
  #decrypted(id: string, source: DekSource): Promise<ValueTransformer> {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending;
    const { service, metrics } = this.#options;
    metrics.missed();
    const asking = decryptedSecret(service, source)
      .then((secret) => {
        const cipher = cipherOf(source.type, secret);
        this.#keep(id, cipher);
        return cipher;
      })
      .finally(() => this.#pending.delete(id));
    this.#pending.set(id, asking);
    return asking;
  }

  #keep(id: string, cipher: ValueTransformer): void {
    const { now, metrics } = this.#options;
    const known = this.#ciphers.get(id);
    const untilMs = now() + keptMs;
    // Used for every write: kept anew once a minute is enough.
    if (known !== undefined && untilMs - known.untilMs < 60_000) return;
    this.#ciphers.delete(id);
    this.#ciphers.set(id, { cipher, untilMs });
    for (const [oldest, { untilMs: until }] of this.#ciphers) {
      if (until > now()) break;
      this.#ciphers.delete(oldest);
    }
    metrics.cached(this.#ciphers.size);
  }
}

async function decryptedSecret(service: Pick<KmsServiceV2, 'decrypt'>, source: EncryptedSecret): Promise<Uint8Array> {
  try {
    // Views of a stored value would keep it in memory.
    return Buffer.from(await service.decrypt({ ...source, secret: Buffer.from(source.secret) }));
  } catch (error) {
    throw wrapped('failed to decrypt DEK, error', error);
  }
}

/** The error with words in front; its kind stays. */
export function wrapped(what: string, error: unknown): Error {
  const message = `${what}: ${error instanceof Error ? error.message : String(error)}`;
  if (error instanceof KmsCallError) return new KmsCallError(message, error.grpcStatus, { cause: error });
  return error instanceof KeyServiceError
    ? new KeyServiceError(message, { cause: error })
    : new EncryptionError(message, { cause: error });
}

export function cipherOf(type: number, secret: Uint8Array): ValueTransformer {
  return type === dekSources.seed ? new ExtendedNonceGcm(secret) : new AesGcm(secret);
}

/** Sources that the plugin decrypts to the same secret. */
export function idOf({ type, secret, keyId, annotations }: DekSource): string {
  const hash = createHash('sha256').update(`${type} ${secret.length} ${keyId.length} `).update(secret).update(keyId);
  for (const [name, value] of [...annotations].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(` ${name.length} ${value.length} ${name}`).update(value);
  }
  return hash.digest('latin1');
}
