import { KeyServiceError } from '../../storage/encryption/transformer.ts';
import { KmsConnection, type KmsEndpoint } from './kms-connection.ts';
import { bytesByNumber, writeMessage } from './kms-messages.ts';

const version = 'v1beta1';
const methods = {
  version: '/v1beta1.KeyManagementService/Version',
  encrypt: '/v1beta1.KeyManagementService/Encrypt',
  decrypt: '/v1beta1.KeyManagementService/Decrypt',
} as const;

/** A plugin of the first version of the protocol. */
export class KmsServiceV1 implements Disposable {
  readonly #connection: KmsConnection;
  #checked: Promise<void> | undefined;

  constructor(endpoint: KmsEndpoint) {
    this.#connection = new KmsConnection(endpoint);
  }

  async encrypt(plain: Uint8Array): Promise<Uint8Array> {
    return await this.#call(methods.encrypt, plain);
  }

  async decrypt(encrypted: Uint8Array): Promise<Uint8Array> {
    return await this.#call(methods.decrypt, encrypted);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #call(method: string, data: Uint8Array): Promise<Uint8Array> {
    await (this.#checked ??= this.#checkVersion());
    const response = await this.#connection.call(method, writeMessage({ 1: version, 2: data }));
    return bytesByNumber(response).get(1) ?? new Uint8Array(0);
  }

  /** Once; again if it has failed. */
  async #checkVersion(): Promise<void> {
    try {
      const response = await this.#connection.call(methods.version, writeMessage({ 1: version }));
      const given = Buffer.from(bytesByNumber(response).get(1) ?? []).toString();
      if (given === version) return;
      throw new KeyServiceError(`KMS provider api version ${given} is not supported, only ${version} is supported now`);
    } catch (error) {
      this.#checked = undefined;
      throw error;
    }
  }
}
