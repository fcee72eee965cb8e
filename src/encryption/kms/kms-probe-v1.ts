import { type HealthContext, RememberedHealth } from './kms-health.ts';
import { wrapped } from './envelope-v2.ts';
import type { KmsServiceV1 } from './kms-service-v1.ts';

/** A plugin of the first version is healthy if it decrypts what it has encrypted. */
export function healthV1(
  service: Pick<KmsServiceV1, 'encrypt' | 'decrypt'>,
  { name, ...context }: HealthContext & { readonly name: string },
): RememberedHealth {
  const section = (which: string): string =>
    `failed to perform ${which} section of the healthz check for KMS Provider ${name}, error`;
  const orFail = async <T>(which: string, pending: Promise<T>): Promise<T> =>
    await pending.catch((error: unknown) => {
      throw wrapped(section(which), error);
    });
  return new RememberedHealth(async () => {
    const encrypted = await orFail('encrypt', service.encrypt(Buffer.from('ping')));
    await orFail('decrypt', service.decrypt(encrypted));
  }, context);
}
