import { formatApiVersion, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { ConfigurationForm } from '../../codec/configuration-document.ts';
import { duration, field, int32, list, struct, text } from '../../schema/plain-schema.ts';

/** `EncryptionConfiguration` of `apiserver.config.k8s.io/v1`. */
export interface EncryptionConfiguration {
  readonly resources?: readonly ResourceConfiguration[] | null;
}

export interface ResourceConfiguration {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.`, `*.*`. */
  readonly resources?: readonly string[] | null;
  readonly providers?: readonly ProviderConfiguration[] | null;
}

/** One of these. */
export interface ProviderConfiguration {
  readonly aesgcm?: KeysConfiguration;
  readonly aescbc?: KeysConfiguration;
  readonly secretbox?: KeysConfiguration;
  readonly identity?: object;
  readonly kms?: KmsConfiguration;
}

export interface KeysConfiguration {
  readonly keys?: readonly KeyConfiguration[] | null;
}

export interface KeyConfiguration {
  readonly name?: string;
  /** In base64. */
  readonly secret?: string;
}

export interface KmsConfiguration {
  readonly apiVersion?: string;
  readonly name?: string;
  /** Only providers of version v1 have it. */
  readonly cachesize?: number;
  readonly endpoint?: string;
  readonly timeout?: string;
}

const kind = 'EncryptionConfiguration';
const group = 'apiserver.config.k8s.io';

const key = struct('Key', [field('name', text), field('secret', text)]);
const aes = struct('AESConfiguration', [field('keys', list(key))]);
const secretbox = struct('SecretboxConfiguration', [field('keys', list(key))]);
const kms = struct('KMSConfiguration', [
  field('apiVersion', text),
  field('name', text),
  field('cachesize', int32, true),
  field('endpoint', text),
  field('timeout', duration, true),
]);
const provider = struct('ProviderConfiguration', [
  field('aesgcm', aes, true),
  field('aescbc', aes, true),
  field('secretbox', secretbox, true),
  field('identity', struct('IdentityConfiguration', []), true),
  field('kms', kms, true),
]);
const resource = struct('ResourceConfiguration', [field('resources', list(text)), field('providers', list(provider))]);

/** Other configurations that kube-apiserver can decode but does not expect here. */
const others: ReadonlySet<string> = new Set(
  ['AdmissionConfiguration', 'AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'].map(
    (each) => `${group}/v1, Kind=${each}`,
  ),
);

export const encryptionForm: ConfigurationForm = {
  kind,
  versions: [`${group}/v1`],
  schema: struct(kind, [field('kind', text), field('apiVersion', text), field('resources', list(resource))]),
  foreignError: (claimed: GroupVersionKind) => {
    const named = `${formatApiVersion(claimed.group, claimed.version)}, Kind=${claimed.kind}`;
    return others.has(named) ? `${unexpected}${named}` : undefined;
  },
};

/** How the error for another configuration begins. */
export const unexpected = 'got unexpected config type: ';

/** The name of the kind in early documentation, which is still understood. */
export const formerForm: ConfigurationForm = { ...encryptionForm, kind: 'EncryptionConfig', versions: ['v1'] };
