/** A file of `--encryption-provider-config`, and flags, that a server does not start with. */
export interface BadConfiguration {
  readonly name: string;
  /** Absent: there is no file. */
  readonly file?: string;
  readonly flags?: readonly string[];
}

export const key = (byte: number, length = 32): string => Buffer.alloc(length, byte).toString('base64');

const head = 'kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\n';

/** A configuration of one list of resources. */
export function configuration(resources: readonly string[], providers: readonly object[]): string {
  return configurationOf([[resources, providers]]);
}

/** A configuration of several lists of resources with their providers. */
export function configurationOf(
  lists: readonly (readonly [resources: readonly string[], providers: readonly object[]])[],
): string {
  return JSON.stringify({
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    resources: lists.map(([resources, providers]) => ({ resources, providers })),
  });
}

const identity = { identity: {} };
const aes = (name: string, secret: string, kind = 'aescbc') => ({ [kind]: { keys: [{ name, secret }] } });
const kms = (fields: object) => ({
  kms: { apiVersion: 'v2', name: 'one', endpoint: 'unix:///tmp/none.sock', ...fields },
});
const ofProviders = (name: string, ...providers: readonly object[]): BadConfiguration => ({
  name,
  file: configuration(['secrets'], providers),
});
const ofResources = (...resources: readonly string[]): BadConfiguration => ({
  name: `resources ${resources.join(' ')}`,
  file: configuration(resources, [identity]),
});

export const badConfigurations: readonly BadConfiguration[] = [
  { name: 'no file' },
  { name: 'an empty file', file: '' },
  { name: 'no YAML', file: 'kind: [' },
  { name: 'a list', file: '[]' },
  { name: 'no version', file: 'kind: EncryptionConfiguration\n' },
  { name: 'another kind', file: 'kind: Pod\napiVersion: v1\n' },
  { name: 'another version', file: head.replace('/v1', '/v2') },
  { name: 'another configuration', file: head.replace('EncryptionConfiguration', 'AdmissionConfiguration') },
  { name: 'a beta version', file: head.replace('/v1', '/v1beta1') },
  { name: 'an unknown field', file: `${head}resource: []\n` },
  { name: 'a field in another case', file: `${head}Resources: []\n` },
  { name: 'a field twice', file: `${head}resources: []\nresources: []\n` },
  { name: 'a value of another type', file: `${head}resources: secrets\n` },
  { name: 'nothing in it', file: head },
  { name: 'no resources', file: configuration([], [identity]) },
  { name: 'no providers', file: configuration(['secrets'], []) },
  { name: 'neither', file: configuration([], []) },
  ofProviders('an empty provider', {}),
  ofProviders('two in one', { ...identity, secretbox: { keys: [{ name: 'a', secret: key(1) }] } }),
  ofProviders('kms and identity in one', { ...kms({}), ...identity }),
  ofProviders('no keys', { aescbc: {} }),
  ofProviders('an empty list of keys', { aesgcm: { keys: [] } }),
  ofProviders('no keys of secretbox', { secretbox: {} }),
  ofProviders('a key without a name', aes('', key(1))),
  ofProviders('a key without a secret', aes('a', '')),
  ofProviders('a key without anything', aes('', '')),
  ofProviders('no base64', aes('a', 'secret-%%')),
  ofProviders('a short key', aes('a', key(1, 15))),
  ofProviders('a short key of aesgcm', aes('a', key(1, 33), 'aesgcm')),
  ofProviders('a short key of secretbox', aes('a', key(1, 16), 'secretbox')),
  ofProviders('an unknown field of a key', { aescbc: { keys: [{ name: 'a', secret: key(1), size: 3 }] } }),
  ofProviders('several mistakes', aes('', key(1, 3)), {}, aes('b', '?', 'secretbox')),
  ofProviders('kms without a name', kms({ name: '' })),
  ofProviders('kms without an endpoint', kms({ endpoint: '' })),
  ofProviders('kms over tcp', kms({ endpoint: 'tcp://localhost:1' })),
  ofProviders('kms at a path', kms({ endpoint: '/tmp/none.sock' })),
  ofProviders('kms at no URL', kms({ endpoint: 'unix:///foo\n.socket' })),
  ofProviders('kms with a colon', kms({ name: 'a:b' })),
  ofProviders('kms v2 with a cache', kms({ cachesize: 10 })),
  ofProviders('kms v1 with an empty cache', kms({ apiVersion: 'v1', cachesize: 0 })),
  ofProviders('kms v3', kms({ apiVersion: 'v3' })),
  ofProviders('kms v3 with a cache', kms({ apiVersion: 'v3', cachesize: 1 })),
  ofProviders('kms with no time', kms({ timeout: '0s' })),
  ofProviders('kms with negative time', kms({ timeout: '-1m' })),
  ofProviders('kms with no duration', kms({ timeout: 'soon' })),
  ofProviders('kms v1 without its gate', kms({ apiVersion: 'v1' })),
  ofProviders('kms without a version', { kms: { name: 'one', endpoint: 'unix:///tmp/none.sock' } }),
  ofProviders('two kms of a name', kms({}), kms({ endpoint: 'unix:///tmp/other.sock' })),
  ofProviders('kms v1 and v2 of a name', kms({ apiVersion: 'v1' }), kms({})),
  {
    name: 'two kms v1 of a name, reloaded',
    file: configuration(['secrets'], [kms({ apiVersion: 'v1' }), kms({ apiVersion: 'v1' })]),
    flags: ['--encryption-provider-config-automatic-reload', '--feature-gates=KMSv1=true'],
  },
  ofResources('secrets', 'secrets'),
  ofResources('secrets', '*.'),
  ofResources('*.*', 'secrets'),
  ofResources('*.apps', 'deployments.apps'),
  ofResources('*.*', '*.*'),
  ofResources('*.apps', '*.apps', 'deployments.apps'),
  ofResources('Secrets'),
  ofResources('*'),
  ofResources('*.events.k8s.io'),
  ofResources('events.events.k8s.io'),
  ofResources('deployments.extensions'),
  ofResources('*.extensions'),
  ofResources('secrets.*'),
  ofResources('serviceipallocations'),
  ofResources('servicenodeportallocations', 'apiserveripinfo'),
  {
    name: 'masked by the group',
    file: configurationOf([
      [['*.apps'], [identity]],
      [['deployments.apps'], [identity]],
    ]),
  },
  {
    name: 'masked by the core group',
    file: configurationOf([
      [['*.'], [identity]],
      [['secrets'], [identity]],
    ]),
  },
  {
    name: 'masked by everything',
    file: configurationOf([
      [['*.*'], [identity]],
      [['secrets'], [identity]],
    ]),
  },
  {
    name: 'a group masked by everything',
    file: configurationOf([
      [['*.*'], [identity]],
      [['*.apps'], [identity]],
    ]),
  },
  {
    name: 'reload without a file',
    flags: ['--encryption-provider-config=', '--encryption-provider-config-automatic-reload'],
  },
];
