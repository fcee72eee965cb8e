import {
  childPath,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { joined } from '../../../api/errors/findings.ts';
import { configMapKeyErrors, dnsSubdomainErrors, nameRules, qualifiedNameErrors } from '../../../api/meta/names.ts';
import { canonicalQuantity } from '../../../api/values/quantity.ts';
import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { sign } from '../amounts/quantities.ts';
import { noBacksteps, relaxedEnvNameErrors } from '../rules/forms.ts';
import { dnsLabel, each, type Errors, fields, form, formErrors, isEmpty, requiredAnd } from '../rules/rules.ts';

// Environment variables and the sources of their values.

const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const knownFields: ReadonlySet<string> = new Set([
  ...environmentFields,
  ...volumeFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** Splits `metadata.labels['key']`. */
function splitSubscript(fieldPath: string): { readonly path: string; readonly subscript?: string } {
  const start = fieldPath.indexOf("['", 1);
  const end = fieldPath.length - 2;
  if (start < 0 || end < start + 2 || !fieldPath.endsWith("']")) return { path: fieldPath };
  return { path: fieldPath.slice(0, start), subscript: fieldPath.slice(start + 2, end) };
}

/** A field of the pod; `supported` are those without a subscript. */
export function fieldReference(supported: readonly string[]) {
  return ({ apiVersion = '', fieldPath = '' }: ObjectFieldSelector, path: string): Errors => {
    if (apiVersion === '') return [requiredField(childPath(path, 'apiVersion'))];
    const fieldPathPath = childPath(path, 'fieldPath');
    if (fieldPath === '') return [requiredField(fieldPathPath)];
    const { path: name, subscript } = splitSubscript(fieldPath);
    const problem = conversionProblem(apiVersion, fieldPath, subscript !== undefined ? name : undefined);
    if (problem !== undefined) {
      return [invalidField(fieldPathPath, fieldPath, `error converting fieldPath: ${problem}`)];
    }
    if (subscript === undefined) {
      const converted = name === 'spec.host' ? 'spec.nodeName' : name;
      return supported.includes(converted) ? [] : [notSupportedField(fieldPathPath, converted, supported)];
    }
    const key = name === 'metadata.annotations' ? subscript.toLowerCase() : subscript;
    return formErrors(path, key, qualifiedNameErrors(key));
  };
}

function conversionProblem(version: string, label: string, subscripted: string | undefined): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (subscripted !== undefined) {
    if (subscripted === 'metadata.annotations' || subscripted === 'metadata.labels') return undefined;
    return `field label does not support subscript: ${label}`;
  }
  return knownFields.has(label) || label === 'spec.host' ? undefined : `field label not supported: ${label}`;
}

const containerFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const sizeDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const divisors: readonly {
  readonly resource: RegExp;
  readonly values: readonly string[];
  readonly words: string;
  readonly of: string;
}[] = [
  { resource: /^(limits|requests)\.cpu$/, values: ['1m', '1'], words: '1m and 1', of: 'cpu' },
  { resource: /^(limits|requests)\.memory$/, values: sizeDivisors, words: sizeDivisors.join(', '), of: 'memory' },
  {
    resource: /^(limits|requests)\.ephemeral-storage$/,
    values: sizeDivisors,
    words: sizeDivisors.join(', '),
    of: 'local ephemeral storage',
  },
  { resource: /^(limits|requests)\.hugepages-/, values: sizeDivisors, words: sizeDivisors.join(', '), of: 'hugepages' },
];

/** Requests or limits of a container, which must be named in volumes. */
export function resourceReference(inVolume: boolean) {
  return function* (reference: ResourceFieldSelector, path: string): Errors {
    const { containerName = '', resource = '', divisor = '0' } = reference;
    if (inVolume && containerName === '') yield requiredField(childPath(path, 'containerName'));
    else if (resource === '') yield requiredField(childPath(path, 'resource'));
    else if (!containerFields.includes(resource) && !/^(limits|requests)\.hugepages-/.test(resource)) {
      yield notSupportedField(childPath(path, 'resource'), resource, containerFields);
    }
    if (sign(divisor) === 0) return;
    const rule = divisors.find((candidate) => candidate.resource.test(resource));
    if (rule === undefined || rule.values.includes(canonicalQuantity(divisor))) return;
    const detail = `only divisor's values ${rule.words} are supported with the ${rule.of} resource`;
    yield invalidField(childPath(path, 'divisor'), resource, detail);
  };
}

const key = requiredAnd(form(configMapKeyErrors));
const keySelector = fields<ConfigMapKeySelector & SecretKeySelector>({ name: form(dnsSubdomainErrors), key });
const fileKeySelector = fields<FileKeySelector>({
  key: requiredAnd(form(relaxedEnvNameErrors)),
  volumeName: requiredAnd(dnsLabel),
  path: requiredAnd(noBacksteps),
});

const sourceNames = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

const ownField = fieldReference(environmentFields);
const ownResource = resourceReference(false);

function valueFrom(source: EnvVarSource, path: string, value: string): Errors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  return joined(
    fieldRef ? ownField(fieldRef, childPath(path, 'fieldRef')) : [],
    resourceFieldRef ? ownResource(resourceFieldRef, childPath(path, 'resourceFieldRef')) : [],
    configMapKeyRef ? keySelector(configMapKeyRef, childPath(path, 'configMapKeyRef')) : [],
    secretKeyRef ? keySelector(secretKeyRef, childPath(path, 'secretKeyRef')) : [],
    fileKeyRef ? fileKeySelector(fileKeyRef, childPath(path, 'fileKeyRef')) : [],
    onlyOne(source, path, value),
  );
}

function onlyOne(source: EnvVarSource, path: string, value: string): FieldError[] {
  const count = Object.values(source).filter((reference) => reference !== undefined).length;
  if (count === 0) return [invalidField(path, '', `must specify one of: ${sourceNames}`)];
  if (value !== '') return [invalidField(path, '', 'may not be specified when `value` is not empty')];
  return count > 1 ? [invalidField(path, '', 'may not have more than one field specified at a time')] : [];
}

const variableName = requiredAnd(form(relaxedEnvNameErrors));

export const environment = each<EnvVar>(({ name, value = '', valueFrom: source }, path) => {
  const errors = variableName(name, childPath(path, 'name'));
  return source ? joined(errors, valueFrom(source, childPath(path, 'valueFrom'), value)) : errors;
});

/** Names that may be prefixes of future objects: a trailing dash is allowed. */
const sourceName = requiredAnd<string>(form((name) => nameRules.dnsSubdomain(name, true)));

export function* environmentSources(sources: readonly EnvFromSource[], path: string): Errors {
  for (const [index, { prefix = '', configMapRef, secretRef }] of sources.entries()) {
    const itemPath = `${path}[${index}]`;
    if (!isEmpty(prefix)) yield* formErrors(childPath(itemPath, 'prefix'), prefix, relaxedEnvNameErrors(prefix));
    if (configMapRef) yield* sourceName(configMapRef.name, childPath(itemPath, 'configMapRef.name'));
    if (secretRef) yield* sourceName(secretRef.name, childPath(itemPath, 'secretRef.name'));
    if (!configMapRef && !secretRef) yield invalidField(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    else if (configMapRef && secretRef) {
      yield invalidField(path, '', 'may not have more than one field specified at a time');
    }
  }
}
