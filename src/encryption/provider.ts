import type { Clock } from '../api/time/clock.ts';
import type { PrefixedTransformer } from '../storage/encryption/prefixed.ts';
import type { EncryptionMetrics } from './encryption-metrics.ts';

export interface ProviderContext {
  readonly metrics: EncryptionMetrics;
  readonly clock: Clock;
  /** Gate KMSv1. */
  readonly allowsKmsV1: boolean;
  /** Reports failing plugins. */
  readonly onError: (error: unknown) => void;
  /** Called when a plugin is healthy again. */
  readonly recovered: () => void;
  readonly onClose: (close: () => void) => void;
}

/** A plugin in use. */
export interface UsedKms {
  readonly version: 'v1' | 'v2';
  /** Rejects if it is not healthy. */
  readonly check: () => Promise<void>;
  /** The longest that a check takes. */
  readonly timeoutMs: number;
}

export interface Provider extends PrefixedTransformer {
  readonly kms?: UsedKms;
}
