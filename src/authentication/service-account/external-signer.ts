import { createPublicKey } from 'node:crypto';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { ConfigError } from '../../api/errors/config-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import { WireReader, wireTypes } from '../../api/bytes/wire-reader.ts';
import { WireWriter } from '../../api/bytes/wire-writer.ts';
import { algorithmOf } from './token-algorithms.ts';
import type { VerifyingKey } from './keys.ts';
import { type SignerMetrics, signerMetrics } from './signer-metrics.ts';

export interface ExternalSignerOptions extends Pick<PartContext, 'clock' | 'onError' | 'onStop' | 'metric'> {
  /** Path of a unix socket; with `@` in front the name of an abstract one. */
  readonly endpoint: string;
}

interface KeySet {
  readonly keys: readonly VerifyingKey[];
  readonly refreshMs: number;
  /** The time that the signer gives for the keys, in seconds since the epoch. */
  readonly seconds: number;
}

/** The connection to the signer. */
interface Calls extends Pick<PartContext, 'clock'> {
  readonly client: Client;
  readonly metrics: SignerMetrics;
}

const service = '/v1.ExternalJWTSigner';
const keysPatienceMs = 60_000;
const callPatienceMs = 10_000;
/** Between attempts to connect. */
const longestBackoffMs = 5000;
/** When keys could not be fetched. */
const retryMs = 10_000;
const longestId = 1024;
const signingAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512'];
const leastSeconds = 600;

/** An error of the signer, or an invalid response. */
export class SignerError extends Error {
  override readonly name = 'SignerError';
  readonly code = 'EXTERNAL_SIGNER';
  /** The status of the call, as metrics have it. */
  readonly callCode: string;

  constructor(message: string, callCode = 'unknown-non-grpc') {
    super(message);
    this.callCode = callCode;
  }
}

/**
 * Signs service account tokens in another process, and knows the keys by which it does so: they are fetched as often as
 * it asks for, and when a token has an unknown key. The protocol is `v1.ExternalJWTSigner` of k8s.io/externaljwt.
 */
export class ExternalSigner {
  readonly maxExpirationSeconds: number;
  readonly #options: ExternalSignerOptions;
  readonly #calls: Calls;
  #known: KeySet;
  #fetching: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: ExternalSignerOptions, calls: Calls, known: KeySet, maxExpirationSeconds: number) {
    this.#options = options;
    this.#calls = calls;
    this.#known = known;
    this.maxExpirationSeconds = maxExpirationSeconds;
    this.#fetchAfter(known.refreshMs);
    options.onStop(() => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      calls.client.close();
    });
  }

  /** Throws a ConfigError when the signer cannot be used. */
  static async open(options: ExternalSignerOptions): Promise<ExternalSigner> {
    const { endpoint, clock, metric } = options;
    const path = endpoint.startsWith('@') ? `\0${endpoint.slice(1)}` : endpoint;
    const client = new Client(`unix:${path}`, credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      'grpc.enable_http_proxy': 0,
      'grpc.max_reconnect_backoff_ms': longestBackoffMs,
    });
    const calls: Calls = { client, clock, metrics: signerMetrics(metric) };
    try {
      const known = await fetchKeys(calls);
      const metadata = await call(calls, 'Metadata', new WireWriter(), callPatienceMs);
      const seconds = integerIn(fieldsOf(metadata), 1);
      if (seconds < leastSeconds) {
        const most = `max token life supported by external-jwt-signer (${seconds}s)`;
        throw new SignerError(`${most} is less than acceptable (min ${leastSeconds}s)`);
      }
      return new ExternalSigner(options, calls, known, seconds);
    } catch (error) {
      client.close();
      throw new ConfigError(`while setting up external-jwt-signer: ${failureText(error)}`);
    }
  }

  /** The signed token. Throws a SignerError. */
  async sign(claims: JsonObject): Promise<string> {
    const { signatures } = this.#calls.metrics;
    try {
      const token = await this.#sign(claims);
      signatures.add({ code: succeeded });
      return token;
    } catch (error) {
      signatures.add({ code: codeOf(error) });
      throw error;
    }
  }

  async #sign(claims: JsonObject): Promise<string> {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const request = new WireWriter().bytes(1, Buffer.from(payload));
    const response = await call(this.#calls, 'Sign', request, callPatienceMs).catch((error: unknown) => {
      throw new SignerError(`while signing jwt: ${failureText(error)}`, codeOf(error));
    });
    const fields = fieldsOf(response);
    const [header = '', signature = ''] = [1, 2].map((number) => textIn(fields, number));
    await this.#checkHeader(header);
    if (signature === '') throw new SignerError('empty signature returned');
    return `${header}.${payload}.${signature}`;
  }

  /** The keys with the ID, or all if it is empty. Unknown ones are fetched. */
  async keysOf(id: string): Promise<readonly VerifyingKey[]> {
    const known = this.#find(id);
    if (known.length > 0) return known;
    try {
      await this.#fetch();
    } catch (error) {
      this.#options.onError(error);
    }
    return this.#find(id);
  }

  #find(id: string): readonly VerifyingKey[] {
    return id === '' ? this.#known.keys : this.#known.keys.filter((key) => key.id === id);
  }

  async #checkHeader(encoded: string): Promise<void> {
    const header = headerOf(encoded);
    const wrong = (what: string): SignerError => new SignerError(`while validating header: ${what}`);
    const { alg = '', kid = '', typ = '', ...others } = header ?? {};
    const [unknown] = Object.keys(others);
    if (header === undefined) throw wrong('while parsing header JSON: no object');
    if (unknown !== undefined) throw wrong(`while parsing header JSON: json: unknown field ${goQuote(unknown)}`);
    if (typ !== 'JWT') throw wrong('bad type');
    if (typeof kid !== 'string' || kid === '') throw wrong('key id missing');
    if (kid.length > longestId) throw wrong('key id longer than 1 kb');
    const algorithm = typeof alg === 'string' ? alg : '';
    if (!signingAlgorithms.includes(algorithm)) throw wrong(`bad signing algorithm ${goQuote(algorithm)}`);
    const keys = await this.keysOf(kid);
    if (keys.some(({ isUnpublished }) => isUnpublished === true)) {
      throw wrong(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`);
    }
  }

  /** One call for all who wait. */
  #fetch(): Promise<void> {
    this.#fetching ??= fetchKeys(this.#calls)
      .then((known) => {
        this.#known = known;
      })
      .finally(() => {
        this.#fetching = undefined;
      });
    return this.#fetching;
  }

  #fetchAfter(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#fetch().then(
        () => this.#fetchAgain(this.#known.refreshMs),
        (error: unknown) => {
          this.#options.onError(error);
          this.#fetchAgain(retryMs);
        },
      );
    }, delayMs);
    this.#timer.unref();
  }

  #fetchAgain(delayMs: number): void {
    if (this.#timer !== undefined) this.#fetchAfter(delayMs);
  }
}

async function fetchKeys(calls: Calls): Promise<KeySet> {
  const { metrics, clock } = calls;
  try {
    const known = keySetIn(await call(calls, 'FetchKeys', new WireWriter(), keysPatienceMs));
    metrics.fetches.add({ code: succeeded });
    metrics.fetchedAt.set(clock.now() / 1000);
    metrics.keysOf.set(known.seconds);
    return known;
  } catch (error) {
    metrics.fetches.add({ code: codeOf(error) });
    throw error;
  }
}

function keySetIn(response: Uint8Array): KeySet {
  const fields = fieldsOf(response);
  const hint = integerIn(fields, 3);
  if (hint <= 0) throw new SignerError(`found invalid refresh hint (${hint}s)`);
  const keys = fields.filter(({ number }) => number === 1).map(({ bytes }) => keyIn(bytes));
  if (keys.length === 0) throw new SignerError('found no keys');
  const time = fields.find(({ number }) => number === 2);
  if (time === undefined) throw new SignerError('invalid data timestamp');
  const parts = fieldsOf(time.bytes);
  return { keys, refreshMs: hint * 1000, seconds: integerIn(parts, 1) + integerIn(parts, 2) / 1e9 };
}

function keyIn(message: Uint8Array): VerifyingKey {
  const fields = fieldsOf(message);
  const id = textIn(fields, 1);
  if (id === '' || id.length > longestId) throw new SignerError(`found invalid public key id ${goQuote(id)}`);
  const der = fields.find(({ number }) => number === 2)?.bytes ?? new Uint8Array();
  if (der.length === 0) throw new SignerError('found empty public key');
  const isUnpublished = integerIn(fields, 3) !== 0;
  try {
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
    if (algorithmOf(key) !== '') return { id, key, isUnpublished };
  } catch {
    // Reported below: OpenSSL's errors do not name the key.
  }
  throw new SignerError(`while parsing external public keys: ${goQuote(id)} is neither RSA nor ECDSA`);
}

function call(
  { client, clock, metrics }: Calls,
  method: string,
  request: WireWriter,
  patienceMs: number,
): Promise<Buffer> {
  const asSent = (bytes: Buffer): Buffer => bytes;
  const path = `${service}/${method}`;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const beganMs = performance.now();
  const done = (error: ServiceError | null, response?: Buffer): void => {
    const code = error === null ? succeeded : nameOfStatus(error.code);
    metrics.calls.observe(secondsSince(beganMs), { method: path, code });
    if (error !== null) reject(new SignerError(`rpc error: code = ${code} desc = ${error.details}`, code));
    else resolve(response ?? Buffer.alloc(0));
  };
  // A signer that is not there yet is waited for.
  const metadata = new Metadata({ waitForReady: true });
  client.makeUnaryRequest(
    path,
    asSent,
    asSent,
    request.finish(),
    metadata,
    { deadline: clock.now() + patienceMs },
    done,
  );
  return promise;
}

const succeeded = 'OK';

/** `DEADLINE_EXCEEDED` is `DeadlineExceeded` in Go. */
function nameOfStatus(code: status): string {
  const words = status[code].split('_').map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`);
  return words.join('');
}

function codeOf(error: unknown): string {
  return error instanceof SignerError ? error.callCode : 'unknown-non-grpc';
}

/** One field of a message: its content if it has a length, else its number. */
interface Field {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly integer: number;
}

function fieldsOf(message: Uint8Array): readonly Field[] {
  const reader = new WireReader(message);
  const fields: Field[] = [];
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (wireType === wireTypes.bytes) fields.push({ number, bytes: reader.bytes(), integer: 0 });
    else if (wireType === wireTypes.varint) fields.push({ number, bytes: new Uint8Array(), integer: reader.integer() });
    else reader.skip(wireType);
  }
  return fields;
}

function integerIn(fields: readonly Field[], number: number): number {
  return fields.find((field) => field.number === number)?.integer ?? 0;
}

function textIn(fields: readonly Field[], number: number): string {
  return Buffer.from(fields.find((field) => field.number === number)?.bytes ?? []).toString();
}

function headerOf(encoded: string): JsonObject | undefined {
  try {
    const header = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as JsonValue;
    return isJsonObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
