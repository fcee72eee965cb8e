import { ConfigError } from '../../api/errors/config-error.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import {
  ConfigurationDocumentError,
  type NamedDocument,
  readConfigurationDocument,
} from '../../codec/configuration-document.ts';
import {
  type EncryptionConfiguration,
  encryptionForm,
  formerForm,
  type KmsConfiguration,
  unexpected,
} from './configuration-schema.ts';
import { configurationErrors } from './configuration-validation.ts';

/** An invalid `--encryption-provider-config`; the message says why, without the secrets in the file. */
export class EncryptionFileError extends ConfigError {
  override readonly code = 'ENCRYPTION_FILE';
}

export interface FileOptions {
  /** Shown in messages. */
  readonly path: string;
  /** Whether the file is read again when it changes. */
  readonly reload: boolean;
}

/** The configuration in a file, with defaults. Throws an EncryptionFileError in the reference's words. */
export async function parseConfiguration(
  text: string,
  { path, reload }: FileOptions,
): Promise<EncryptionConfiguration> {
  if (text === '') {
    throw new EncryptionFileError(
      `${failure}: error while loading file: encryption provider configuration file ${goQuote(path)} is empty`,
    );
  }
  const configuration = withDefaults(decode(text, path));
  const errors = configurationErrors(configuration, { reload });
  if (errors.length > 0) throw new EncryptionFileError(`${failure}: ${joinedErrors(errors.map(fieldErrorText))}`);
  return configuration;
}

const failure = 'error while parsing file';

/** The error for a file that cannot be read. */
export function unreadableFile(path: string, error: unknown): EncryptionFileError {
  const { code, message } = error as NodeJS.ErrnoException; // of a system call
  const why = (code === undefined ? undefined : systemErrors[code]) ?? message;
  const what = `error reading encryption provider configuration file ${goQuote(path)}: open ${path}: ${why}`;
  return new EncryptionFileError(`${failure}: error while loading file: ${what}`, { cause: error });
}

/** As Linux words them. */
const systemErrors: { readonly [code: string]: string } = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
};

function decode(text: string, path: string): EncryptionConfiguration {
  try {
    return readDocument(text).object as EncryptionConfiguration; // read by its schema
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError)) throw error;
    const { message } = error;
    const what = message.startsWith(unexpected)
      ? message
      : `error decoding encryption provider configuration file ${goQuote(path)}: ${withoutDocument(message)}`;
    throw new EncryptionFileError(`${failure}: ${what}`);
  }
}

/** Reads a document in either form; errors are those of the current form. */
function readDocument(text: string): NamedDocument {
  try {
    return readConfigurationDocument(text, encryptionForm);
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError && error.isForeign)) throw error;
    try {
      return readConfigurationDocument(text, formerForm);
    } catch {
      throw error;
    }
  }
}

/** A document that does not say what it is would be quoted whole, with its secrets. */
function withoutDocument(message: string): string {
  const [missing] = /^Object '(?:Kind|apiVersion)' is missing in /.exec(message) ?? [];
  return missing === undefined ? message : `${missing}'REDACTED'`;
}

function withDefaults({ resources }: EncryptionConfiguration): EncryptionConfiguration {
  if (!resources) return {};
  return {
    resources: resources.map(({ providers, ...rest }) => ({
      ...rest,
      providers: (providers ?? []).map((provider) =>
        provider.kms === undefined ? provider : { ...provider, kms: kmsWithDefaults(provider.kms) },
      ),
    })),
  };
}

function kmsWithDefaults({ apiVersion, timeout = '3s', ...kms }: KmsConfiguration): KmsConfiguration {
  const version = apiVersion === undefined || apiVersion === '' ? 'v1' : apiVersion;
  const cache = version === 'v1' && kms.cachesize === undefined ? { cachesize: 1000 } : {};
  return { ...kms, apiVersion: version, timeout, ...cache };
}
