import { EncryptionFileError } from '../configuration/configuration-file.ts';
import type { Provider, ProviderContext } from '../provider.ts';
import { EnvelopeV1 } from './envelope-v1.ts';
import { EnvelopeV2 } from './envelope-v2.ts';
import { KmsMetrics } from './kms-metrics.ts';
import { healthV1 } from './kms-probe-v1.ts';
import { KmsProbeV2 } from './kms-probe-v2.ts';
import { KmsServiceV1 } from './kms-service-v1.ts';
import { KmsServiceV2 } from './kms-service-v2.ts';

export interface KmsOptions extends ProviderContext {
  readonly name: string;
  readonly endpoint: string;
  readonly timeoutMs: number;
}

const deprecated = 'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.';

/** Throws an EncryptionFileError unless its gate is on. */
export function openKmsV1(options: KmsOptions & { readonly cacheSize: number }): Provider {
  const { name, endpoint, timeoutMs, cacheSize, allowsKmsV1, onClose } = options;
  if (!allowsKmsV1) {
    throw new EncryptionFileError(`${deprecated}  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.`);
  }
  const metrics = new KmsMetrics(options.metrics, name);
  const service = new KmsServiceV1({ endpoint, timeoutMs });
  onClose(() => service[Symbol.dispose]());
  const health = healthV1(service, options);
  return {
    prefix: `k8s:enc:kms:v1:${name}:`,
    transformer: new EnvelopeV1({ service, cacheSize, metrics }),
    // It encrypts and decrypts, one after the other.
    kms: { version: 'v1', check: () => health.check(), timeoutMs: 2 * timeoutMs },
  };
}

/** Resolves when the plugin has been asked for its key. */
export async function openKmsV2(options: KmsOptions): Promise<Provider> {
  const { name, endpoint, timeoutMs, clock, onError, recovered, onClose } = options;
  const metrics = new KmsMetrics(options.metrics, name);
  const called: KmsMetrics['called'] = (...outcome) => metrics.called(...outcome);
  const service = new KmsServiceV2({ endpoint, timeoutMs, called });
  onClose(() => service[Symbol.dispose]());
  const probe = new KmsProbeV2({ name, service, metrics, clock, onError, recovered });
  onClose(() => probe[Symbol.dispose]());
  await probe.begin();
  const { state, checkWritable } = probe;
  return {
    prefix: `k8s:enc:kms:v2:${name}:`,
    transformer: new EnvelopeV2({ name, service, metrics, state, checkWritable, now: () => clock.now() }),
    kms: { version: 'v2', check: () => probe.check(), timeoutMs },
  };
}
