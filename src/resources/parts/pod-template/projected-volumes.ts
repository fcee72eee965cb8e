import { childPath, forbiddenField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { signerName, userAnnotations, volumeFilePath } from '../rules/forms.ts';
import { internalValue } from '../rules/internal-value.ts';
import { enumOrEmpty, type Errors, idNumber, isEmpty, required } from '../rules/rules.ts';
import { labelSelector } from '../selectors/label-selectors.ts';
import { fieldReference, resourceReference, volumeFields } from './environment.ts';
import { fileMode, keyToPath } from './volume-sources.ts';

// Volumes that combine pod fields, secrets and tokens.

function* downwardFile(file: core.DownwardAPIVolumeFile, path: string): Errors {
  yield* required()(file.path, childPath(path, 'path'));
  yield* volumeFilePath(file.path, childPath(path, 'path'));
  if (file.fieldRef) {
    yield* fieldReference(volumeFields)(file.fieldRef, childPath(path, 'fieldRef'));
    if (file.resourceFieldRef) {
      yield invalidField(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (file.resourceFieldRef) {
    yield* resourceReference(true)(file.resourceFieldRef, childPath(path, 'resourceFieldRef'));
  } else yield requiredField(path, 'one of fieldRef and resourceFieldRef is required');
  yield* fileMode(file.mode, childPath(path, 'mode'));
  yield* idNumber(file.user, childPath(path, 'user'));
}

export function* downwardApi(source: core.DownwardAPIVolumeSource, path: string): Errors {
  yield* fileMode(source.defaultMode, childPath(path, 'defaultMode'));
  yield* idNumber(source.defaultUser, childPath(path, 'defaultUser'));
  // Errors of files are reported at the volume.
  for (const file of source.items ?? []) {
    yield* downwardFile(file, path);
  }
}

export function* projected(source: core.ProjectedVolumeSource, path: string): Errors {
  yield* fileMode(source.defaultMode, childPath(path, 'defaultMode'));
  yield* idNumber(source.defaultUser, childPath(path, 'defaultUser'));
  const files = new ProjectedFiles(path);
  for (const [index, projection] of (source.sources ?? []).entries()) {
    const itemPath = keyPath(childPath(path, 'sources'), index);
    yield* projectionSource(projection, itemPath, files);
    const count = Object.values(projection).filter((part) => part !== undefined).length;
    if (count > 1) yield forbiddenField(itemPath, 'may not specify more than 1 volume type per source');
  }
}

/** File paths of a projected volume, which must be unique. */
class ProjectedFiles {
  readonly #seen = new Set<string>();
  readonly volumePath: string;

  constructor(volumePath: string) {
    this.volumePath = volumePath;
  }

  *add(file: string, shown: string): Errors {
    if (this.#seen.has(file)) yield invalidField(this.volumePath, shown, 'conflicting duplicate paths');
    this.#seen.add(file);
  }
}

function* projectionSource(source: core.VolumeProjection, path: string, files: ProjectedFiles): Errors {
  if (source.secret) yield* keyedSource(source.secret, childPath(path, 'secret'), files);
  if (source.configMap) yield* keyedSource(source.configMap, childPath(path, 'configMap'), files);
  for (const file of source.downwardAPI?.items ?? []) {
    yield* downwardFile(file, childPath(path, 'downwardAPI'));
    if (!isEmpty(file.path)) yield* files.add(file.path ?? '', file.path ?? '');
  }
  if (source.serviceAccountToken) {
    yield* serviceAccountToken(source.serviceAccountToken, childPath(path, 'serviceAccountToken'), files.volumePath);
  }
  if (source.clusterTrustBundle) {
    yield* clusterTrustBundle(source.clusterTrustBundle, childPath(path, 'clusterTrustBundle'), files);
  }
  if (source.podCertificate) yield* podCertificate(source.podCertificate, childPath(path, 'podCertificate'), files);
}

function* keyedSource(source: core.SecretProjection, path: string, files: ProjectedFiles): Errors {
  yield* required()(source.name, childPath(path, 'name'));
  for (const [index, item] of (source.items ?? []).entries()) {
    yield* keyToPath(item, keyPath(childPath(path, 'items'), index));
    if (!isEmpty(item.path)) yield* files.add(item.path ?? '', source.name ?? '');
  }
}

function* serviceAccountToken(source: core.ServiceAccountTokenProjection, path: string, volumePath: string): Errors {
  const seconds = source.expirationSeconds;
  const secondsPath = childPath(path, 'expirationSeconds');
  if (seconds === undefined) yield requiredField(secondsPath);
  else {
    if (seconds < 600) yield invalidField(secondsPath, seconds, 'may not specify a duration less than 10 minutes');
    if (seconds > 2 ** 32) {
      yield invalidField(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds');
    }
  }
  if (isEmpty(source.path)) yield requiredField(childPath(volumePath, 'path'));
  else yield* volumeFilePath(source.path, childPath(volumePath, 'path'));
  yield* idNumber(source.user, childPath(path, 'user'));
}

/** A signer's bundles are named `signer:domain:name`; others have no colon. */
function clusterTrustBundleNameErrors(name: string, signer: string): string[] {
  if (signer === '') {
    if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return dnsSubdomainErrors(name);
  }
  const prefix = `${signer.replace('/', ':')}:`;
  if (!name.startsWith(prefix)) {
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
  }
  return dnsSubdomainErrors(name.slice(prefix.length));
}

/** The signer prefix of a bundle name. */
function signerOfBundle(name: string): string {
  const end = name.lastIndexOf(':');
  return end < 0 ? '' : name.slice(0, end).replace(':', '/');
}

function* clusterTrustBundle(source: core.ClusterTrustBundleProjection, path: string, files: ProjectedFiles): Errors {
  const { name, signerName: signer, labelSelector: selector, path: file = '' } = source;
  if (name !== undefined && signer !== undefined) {
    const value = internalValue('core.ClusterTrustBundleProjection', source);
    yield invalidField(path, value, 'only one of name and signerName may be used');
  } else if (name !== undefined) {
    const namePath = childPath(path, 'name');
    if (name === '') yield requiredField(namePath, 'must be a valid object name');
    for (const text of clusterTrustBundleNameErrors(name, signerOfBundle(name))) {
      yield invalidField(namePath, name, `not a valid clustertrustbundlename: ${text}`);
    }
    if (selector) {
      const value = internalValue('metav1.LabelSelector', selector);
      yield invalidField(childPath(path, 'labelSelector'), value, 'labelSelector must be unset if name is specified');
    }
  } else if (signer !== undefined) {
    if (signer === '') yield requiredField(childPath(path, 'signerName'), 'must be a valid signer name');
    yield* signerName(signer, childPath(path, 'signerName'));
    yield* labelSelector(selector, childPath(path, 'labelSelector'));
  } else yield requiredField(path, 'either name or signerName must be specified');
  yield* required()(file, childPath(path, 'path'));
  yield* idNumber(source.user, childPath(path, 'user'));
  yield* volumeFilePath(file, childPath(path, 'path'));
  yield* files.add(file, file);
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];

function* podCertificate(source: core.PodCertificateProjection, path: string, files: ProjectedFiles): Errors {
  yield* signerName(source.signerName, childPath(path, 'signerName'));
  yield* userAnnotations(source.userAnnotations ?? {}, childPath(path, 'userAnnotations'));
  yield* idNumber(source.user, childPath(path, 'user'));
  yield* enumOrEmpty(keyTypes)(source.keyType, childPath(path, 'keyType'));
  const seconds = source.maxExpirationSeconds;
  if (seconds !== undefined) {
    const secondsPath = childPath(path, 'maxExpirationSeconds');
    const max = source.signerName?.startsWith('kubernetes.io/') === true ? 86400 : 7862400;
    if (seconds < 3600) yield invalidField(secondsPath, seconds, 'if provided, maxExpirationSeconds must be >= 3600');
    if (seconds > max) yield invalidField(secondsPath, seconds, `if provided, maxExpirationSeconds must be <= ${max}`);
  }
  const names = (['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const).filter(
    (name) => !isEmpty(source[name]),
  );
  for (const name of names) {
    const file = source[name] ?? '';
    yield* volumeFilePath(file, childPath(path, name));
    yield* files.add(file, file);
  }
  if (names.length === 0) {
    yield requiredField(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  }
}
