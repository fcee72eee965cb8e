import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type MethodDefinition, Server, ServerCredentials, status, type UntypedHandleCall } from '@grpc/grpc-js';
import {
  type Annotations,
  bytesByNumber,
  readAnnotation,
  readMessage,
  writeMessage,
} from '../../src/encryption/kms/kms-messages.ts';

/** A call of a server, as the plugin saw it. */
export interface PluginCall {
  readonly method: string;
  readonly keyId?: string;
}

/**
 * A real KMS plugin of both versions of the protocol on a socket. It encrypts with AES-GCM, by keys that are derived
 * from their names, so that a restarted plugin knows them all.
 */
export class KmsPlugin implements AsyncDisposable {
  readonly socket: string;
  /** Names the key to write with. */
  keyId = 'key-1';
  healthz = 'ok';
  version = 'v2';
  annotations: Annotations = new Map();
  /** Keys that it has lost. */
  readonly lost = new Set<string>();
  /** Refuses every call. */
  fails = false;
  readonly calls: PluginCall[] = [];
  #server: Server | undefined;

  private constructor(socket: string) {
    this.socket = socket;
  }

  static async start(socket: string): Promise<KmsPlugin> {
    const plugin = new KmsPlugin(socket);
    await plugin.begin();
    return plugin;
  }

  get endpoint(): string {
    return `unix://${this.socket}`;
  }

  countOf(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  /** Begins to listen, for the first time or after an `end`. */
  async begin(): Promise<void> {
    const server = new Server();
    server.addService(...this.#servicesV1());
    server.addService(...this.#servicesV2());
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    server.bindAsync(`unix:${this.socket}`, ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
    await promise;
    this.#server = server;
  }

  async end(): Promise<void> {
    this.#server?.forceShutdown();
    this.#server = undefined;
    if (!this.socket.startsWith('\0')) await rm(this.socket, { force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  #servicesV1() {
    return serviceOf('v1beta1', {
      Version: () => writeMessage({ 1: 'v1beta1', 2: 'test', 3: '0.1.0' }),
      Encrypt: (fields) => {
        this.#called({ method: 'v1/Encrypt' });
        return writeMessage({ 1: sealed(this.keyId, fields.get(2)) });
      },
      Decrypt: (fields) => {
        this.#called({ method: 'v1/Decrypt' });
        return writeMessage({ 1: this.#opened(this.keyId, fields.get(2)) });
      },
    });
  }

  #servicesV2() {
    return serviceOf('v2', {
      Status: () => {
        this.#called({ method: 'Status' });
        return writeMessage({ 1: this.version, 2: this.healthz, 3: this.keyId });
      },
      Encrypt: (fields) => {
        this.#called({ method: 'Encrypt', keyId: this.keyId });
        return writeMessage({ 1: sealed(this.keyId, fields.get(1)), 2: this.keyId, 3: this.annotations });
      },
      Decrypt: (fields, message) => {
        const keyId = Buffer.from(fields.get(3) ?? []).toString();
        this.#called({ method: 'Decrypt', keyId });
        const given = annotationsOf(message, 4);
        for (const [name, value] of this.annotations) {
          if (!Buffer.from(given.get(name) ?? []).equals(Buffer.from(value))) throw new Error(`no annotation ${name}`);
        }
        return writeMessage({ 1: this.#opened(keyId, fields.get(1)) });
      },
    });
  }

  #called(call: PluginCall): void {
    this.calls.push(call);
    if (this.fails) throw new Error('the plugin fails');
  }

  #opened(keyId: string, bytes: Uint8Array | undefined): Buffer {
    if (this.lost.has(keyId)) throw new Error(`no key ${keyId}`);
    return opened(keyId, bytes);
  }
}

type Handler = (fields: ReadonlyMap<number, Uint8Array>, message: Uint8Array) => Buffer;
type Service = { [name: string]: MethodDefinition<Buffer, Buffer> };

function serviceOf(version: string, handlers: { readonly [name: string]: Handler }) {
  const asIs = (bytes: Buffer): Buffer => bytes;
  const service: Service = {};
  const implementation: { [name: string]: UntypedHandleCall } = {};
  for (const [name, handler] of Object.entries(handlers)) {
    service[name] = {
      path: `/${version}.KeyManagementService/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    };
    implementation[name] = (
      { request }: { readonly request: Buffer },
      answer: (error: object | null, message?: Buffer) => void,
    ): void => {
      try {
        answer(null, handler(bytesByNumber(request), request));
      } catch (error) {
        answer({ code: status.FAILED_PRECONDITION, details: error instanceof Error ? error.message : '' });
      }
    };
  }
  return [service, implementation] as const;
}

function annotationsOf(message: Uint8Array, field: number): Annotations {
  const annotations = new Map<string, Uint8Array>();
  readMessage(message, {
    bytes: (number, value) => {
      if (number === field) annotations.set(...readAnnotation(value));
    },
  });
  return annotations;
}

function keyOf(keyId: string): Buffer {
  return createHash('sha256').update(`the key ${keyId}`).digest();
}

function sealed(keyId: string, plain: Uint8Array = new Uint8Array(0)): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keyId), nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function opened(keyId: string, bytes: Uint8Array = new Uint8Array(0)): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', keyOf(keyId), bytes.subarray(0, 12));
  cipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]);
}
