import { domainNameErrors } from '../../api/validation/domain-name.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import { EncryptionError } from '../../storage/encryption/transformer.ts';
import { WireWriter } from '../../api/bytes/wire-writer.ts';
import { type Annotations, readAnnotation, readMessage, writeMessage } from './kms-messages.ts';

/** What the secret of an encrypted object is: its AES-GCM key, or a seed from which its key is derived. */
export const dekSources = { key: 0, seed: 1 } as const;

/** How a value was encrypted: all that is needed to decrypt it, besides the plugin. */
export interface DekSource {
  /** The plugin's name of its key. */
  readonly keyId: string;
  /** Encrypted by the plugin. */
  readonly secret: Uint8Array;
  readonly annotations: Annotations;
  /** One of `dekSources`. */
  readonly type: number;
}

export interface EncryptedObject extends DekSource {
  readonly data: Uint8Array;
}

const maxAnnotationBytes = 32 * 1024;
const maxKeyIdBytes = 1024;
const maxSecretBytes = 1024;

/** A stored value, in pieces: the data is not copied. */
export function writeEncryptedObject(
  { keyId, secret, annotations, type }: DekSource,
  data: readonly Uint8Array[],
): readonly Uint8Array[] {
  const size = data.reduce((sum, piece) => sum + piece.length, 0);
  const start = new WireWriter().startOfBytes(1, size).finish();
  const rest = writeMessage({ 2: keyId, 3: secret, 4: annotations });
  const source = type === 0 ? [] : [new WireWriter().integer(5, type).finish()];
  return [start, ...data, rest, ...source];
}

/** Throws an EncryptionError for one that is not valid. */
export function readEncryptedObject(stored: Uint8Array): EncryptedObject {
  const found: { keyId: string; secret: Uint8Array; data: Uint8Array; type: number } = {
    keyId: '',
    secret: none,
    data: none,
    type: 0,
  };
  const annotations = new Map<string, Uint8Array>();
  try {
    readMessage(stored, {
      bytes(number, value) {
        if (number === 1) found.data = value;
        else if (number === 2) found.keyId = Buffer.from(value).toString();
        else if (number === 3) found.secret = value;
        else if (number === 4) annotations.set(...readAnnotation(value));
      },
      integer(number, value) {
        if (number === 5) found.type = value;
      },
    });
  } catch (error) {
    throw new EncryptionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const object = { ...found, annotations };
  checkType(object.type);
  if (object.data.length === 0) throw new EncryptionError('encrypted data is empty');
  checkDekSource(object);
  return object;
}

const none = new Uint8Array(0);

/** Throws an EncryptionError. */
export function checkDekSource({ keyId, secret, annotations, type }: DekSource): void {
  checkType(type);
  if (secret.length === 0) throw invalid('encrypted DEK source', 'encrypted DEK source is empty');
  if (secret.length > maxSecretBytes) {
    throw invalid('encrypted DEK source', tooLarge('encrypted DEK source', secret.length, maxSecretBytes));
  }
  const problem = keyIdProblem(keyId);
  if (problem !== undefined) throw invalid('key id', problem.message);
  const errors = annotationErrors(annotations);
  if (errors.length > 0) throw invalid('annotations', joinedErrors(errors));
}

/** What is wrong with a plugin's name of a key, and its code in metrics. */
export function keyIdProblem(
  keyId: string,
): { readonly code: 'empty' | 'too_long'; readonly message: string } | undefined {
  const { length } = Buffer.from(keyId);
  if (length === 0) return { code: 'empty', message: 'keyID is empty' };
  return length > maxKeyIdBytes ? { code: 'too_long', message: tooLarge('keyID', length, maxKeyIdBytes) } : undefined;
}

function checkType(type: number): void {
  const isKnown = type === dekSources.key || type === dekSources.seed;
  if (!isKnown) throw new EncryptionError(`unknown encryptedDEKSourceType: ${type}`);
}

function annotationErrors(annotations: Annotations): readonly string[] {
  let size = 0;
  const errors: string[] = [];
  for (const [name, value] of annotations) {
    // Fully qualified domain names.
    const found = domainNameErrors(name, 'annotations');
    if (found.length > 0) errors.push(joinedErrors(found.map(fieldErrorText)));
    size += Buffer.byteLength(name) + value.length;
  }
  if (size <= maxAnnotationBytes) return errors;
  return [...errors, `total size of annotations is ${size}, which exceeds the max size of ${maxAnnotationBytes}`];
}

function invalid(what: string, why: string): EncryptionError {
  return new EncryptionError(`failed to validate ${what}: ${why}`);
}

function tooLarge(what: string, size: number, most: number): string {
  return `${what} is ${size} bytes, which exceeds the max size of ${most}`;
}
