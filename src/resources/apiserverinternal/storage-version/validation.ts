import { childPath, duplicateField, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import {
  dns1035LabelErrors,
  dnsSubdomainErrors,
  patternMessage,
  qualifiedNameErrors,
} from '../../../api/meta/names.ts';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
} from '../../../schema/kubernetes/generated/types/apiserverinternal-v1alpha1.ts';
import { type Errors, formErrors } from '../../parts/rules/rules.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

/** `group.resource` */
export function storageVersionNameErrors(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dnsSubdomainErrors(name.slice(0, dot)).map((text) => `the group segment ${text}`),
    ...dns1035LabelErrors(name.slice(dot + 1)).map((text) => `the resource segment ${text}`),
  ];
}

export function* storageVersionStatus({ status = {} }: StorageVersion): Errors {
  const { storageVersions = [], commonEncodingVersion: claimed, conditions = [] } = status;
  const seen = new Set<string>();
  for (const [index, version] of storageVersions.entries()) {
    const path = keyPath('status.storageVersions', index);
    const { apiServerID = '' } = version;
    if (seen.has(apiServerID)) yield duplicateField(childPath(path, 'apiServerID'), apiServerID);
    seen.add(apiServerID);
    yield* serverVersion(version, path);
  }
  yield* commonVersion(storageVersions, claimed);
  yield* conditionErrors(conditions);
}

function* serverVersion(version: ServerStorageVersion, path: string): Errors {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = version;
  yield* formErrors(childPath(path, 'apiServerID'), apiServerID, dnsSubdomainErrors(apiServerID));
  yield* apiVersion(encodingVersion, childPath(path, 'encodingVersion'));
  const decodable = childPath(path, 'decodableVersions');
  for (const [index, text] of decodableVersions.entries()) {
    yield* apiVersion(text, keyPath(decodable, index));
  }
  if (!decodableVersions.includes(encodingVersion)) {
    const value = shownField(version, 'decodableVersions');
    yield invalidField(decodable, value, `decodableVersions must include encodingVersion ${encodingVersion}`);
  }
  for (const [index, text] of servedVersions.entries()) {
    const at = keyPath(childPath(path, 'servedVersions'), index);
    yield* apiVersion(text, at);
    if (decodableVersions.includes(text)) continue;
    const list = `[${decodableVersions.join(' ')}]`;
    yield invalidField(at, text, `individual served version : ${text} must be included in decodableVersions : ${list}`);
  }
}

const labelForm = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelText =
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

function* apiVersion(text: string, path: string): Errors {
  const faults = apiVersionFaults(text);
  if (faults.length > 0) yield invalidField(path, text, faults.join(','));
}

function apiVersionFaults(text: string): string[] {
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0) {
    const label = patternMessage(labelText, labelForm, ['my-name', 'abc-123']);
    return [`an apiVersion is ${label} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`];
  }
  const version = second ?? first;
  const empty = 'must be non-empty';
  const groupFaults = second === undefined ? [] : first === '' ? [empty] : dnsSubdomainErrors(first);
  const versionFaults = version === '' ? [empty] : dns1035LabelErrors(version);
  return [
    ...groupFaults.map((fault) => `group part: ${fault}`),
    ...versionFaults.map((fault) => `version part: ${fault}`),
  ];
}

function* commonVersion(versions: readonly ServerStorageVersion[], claimed: string | undefined): Errors {
  const encodings = new Set(versions.map(({ encodingVersion = '' }) => encodingVersion));
  const [actual] = encodings;
  const path = 'status.commonEncodingVersion';
  if (actual === undefined || encodings.size > 1) {
    const detail =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    if (claimed !== undefined) yield invalidField(path, claimed, detail);
  } else if (claimed === undefined) yield invalidField(path, null, `the common encoding version is ${actual}`);
  else if (claimed !== actual) yield invalidField(path, claimed, `the actual common encoding version is ${actual}`);
}

function* conditionErrors(conditions: readonly StorageVersionCondition[]): Errors {
  for (const [index, { type = '', status = '', reason = '', message = '' }] of conditions.entries()) {
    // The reference omits `conditions` from the path.
    const path = keyPath('status', index);
    const before = conditions.slice(0, index).findLastIndex((other) => (other.type ?? '') === type);
    if (before >= 0) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${before}]`;
      yield invalidField(childPath(path, 'type'), type, detail);
    }
    yield* formErrors(childPath(path, 'type'), type, qualifiedNameErrors(type));
    yield* formErrors(childPath(path, 'status'), status, qualifiedNameErrors(status));
    if (reason === '') yield requiredField(childPath(path, 'reason'));
    if (message === '') yield requiredField(childPath(path, 'message'));
  }
}
