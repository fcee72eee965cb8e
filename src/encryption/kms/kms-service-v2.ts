import { randomUUID } from 'node:crypto';
import type { DekSource } from './encrypted-object.ts';
import { KmsConnection, type KmsEndpoint } from './kms-connection.ts';
import { type Annotations, bytesByNumber, readAnnotation, readMessage, writeMessage } from './kms-messages.ts';

const methods = {
  status: '/v2.KeyManagementService/Status',
  encrypt: '/v2.KeyManagementService/Encrypt',
  decrypt: '/v2.KeyManagementService/Decrypt',
} as const;

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

export type EncryptedSecret = Pick<DekSource, 'secret' | 'keyId' | 'annotations'>;

/** A plugin of the second version of the protocol. */
export class KmsServiceV2 implements Disposable {
  readonly #connection: KmsConnection;

  constructor(endpoint: KmsEndpoint) {
    this.#connection = new KmsConnection(endpoint);
  }

  async status(): Promise<KmsStatus> {
    const fields = bytesByNumber(await this.#connection.call(methods.status, new Uint8Array(0)));
    const text = (number: number): string => Buffer.from(fields.get(number) ?? []).toString();
    return { version: text(1), healthz: text(2), keyId: text(3) };
  }

  async encrypt(plain: Uint8Array): Promise<EncryptedSecret> {
    const response = await this.#connection.call(methods.encrypt, writeMessage({ 1: plain, 2: randomUUID() }));
    const fields = bytesByNumber(response);
    return {
      secret: Buffer.from(fields.get(1) ?? []),
      keyId: Buffer.from(fields.get(2) ?? []).toString(),
      annotations: annotationsOf(response),
    };
  }

  async decrypt({ secret, keyId, annotations }: EncryptedSecret): Promise<Uint8Array> {
    const request = writeMessage({ 1: secret, 2: randomUUID(), 3: keyId, 4: annotations });
    return bytesByNumber(await this.#connection.call(methods.decrypt, request)).get(1) ?? new Uint8Array(0);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

function annotationsOf(response: Uint8Array): Annotations {
  const annotations = new Map<string, Uint8Array>();
  readMessage(response, {
    bytes(number, value) {
      if (number === 3) annotations.set(...readAnnotation(value));
    },
  });
  return annotations;
}
