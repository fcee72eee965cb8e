import { childPath, invalidField, notSupportedField, requiredField } from '../../api/errors/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../api/meta/names.ts';
import type * as resource from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { each, type Errors, formErrors, longName } from '../parts/rules/rules.ts';
import { DerivedAttributes } from './derived-attributes.ts';
import type { DeviceExpressionChecks } from './device-expression-checks.ts';
import { declaredQualifiedName } from './device-names.ts';
import { deviceToleration, distinct, inFieldOrder, limited, opaqueConfiguration, selectors } from './device-rules.ts';
import { late, onlyLate } from './late-errors.ts';

export const maxItems = 32;

const maxAlternatives = 8;

const requestReference =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Names of requests, and of their alternatives. */
export type RequestNames = ReadonlyMap<string, readonly string[]>;

export function requestNames({ requests = [] }: resource.DeviceClaim): RequestNames {
  return new Map(
    requests.map(({ name = '', firstAvailable = [] }) => [name, firstAvailable.map((one) => one.name ?? '')]),
  );
}

/** `request` or `request/alternative`. */
export function* requestNameReference(reference: string, path: string, names: RequestNames): Errors {
  const parts = reference.split('/');
  if (parts.length > 2) return yield invalidField(path, reference, requestReference);
  for (const part of parts) yield* formErrors(path, part, dnsLabelErrors(part));
  const [request = '', alternative] = parts;
  const alternatives = names.get(request);
  const isKnown = alternatives !== undefined && (alternative === undefined || alternatives.includes(alternative));
  if (!isKnown) yield invalidField(path, reference, requestReference);
}

/** References to requests, without duplicates. */
export function* requestReferences(list: readonly string[] | undefined, path: string, names: RequestNames): Errors {
  yield* limited(list, path, maxItems, (name, at) => requestNameReference(name, at, names));
  const same = (name: string): string => name;
  if ((list ?? []).length <= maxItems) yield* late(distinct(list, path, same, same));
}

function* deviceClassName(name: string, path: string): Errors {
  if (name === '') yield requiredField(path);
  else yield* formErrors(path, name, dnsSubdomainErrors(name));
}

type Wanted = resource.ExactDeviceRequest | resource.DeviceSubRequest;

interface RequestPosition {
  readonly path: string;
  /** `request` or `request/alternative`. */
  readonly reference: string;
  readonly attributes: DerivedAttributes;
}

function* wantedDevice(wanted: Wanted, { path, reference, attributes }: RequestPosition): Errors {
  const className = wanted.deviceClassName ?? '';
  const classPath = childPath(path, 'deviceClassName');
  if (!reference.includes('/')) yield* deviceClassName(className, classPath);
  else yield* late(className === '' ? [requiredField(classPath)] : longName(className, classPath));
  yield* selectors(wanted.selectors, childPath(path, 'selectors'), attributes.expressions);
  const { derivedAttributes = [] } = wanted;
  if (derivedAttributes.length > 0) {
    yield* attributes.errors(derivedAttributes, childPath(path, 'derivedAttributes'), reference);
  }
  const { allocationMode = '', count = 0 } = wanted;
  const countPath = childPath(path, 'count');
  if (allocationMode === 'All') {
    if (count !== 0) yield invalidField(countPath, count, "must not be specified when allocationMode is 'All'");
  } else if (allocationMode === 'ExactCount') {
    if (count <= 0) yield invalidField(countPath, count, 'must be greater than zero');
  } else {
    const errors = [notSupportedField(childPath(path, 'allocationMode'), allocationMode, ['All', 'ExactCount'])];
    yield* allocationMode === '' ? errors : late(errors);
  }
  yield* each(deviceToleration)(wanted.tolerations, childPath(path, 'tolerations'));
}

function* deviceRequest(request: resource.DeviceRequest, path: string, attributes: DerivedAttributes): Errors {
  const { name = '', exactly, firstAvailable = [] } = request;
  const exactlyOne = 'exactly one of `exactly` or `firstAvailable` is required';
  yield* formErrors(childPath(path, 'name'), name, dnsLabelErrors(name));
  if (exactly === undefined && firstAvailable.length === 0) return yield requiredField(path, exactlyOne);
  const isBoth = exactly !== undefined && firstAvailable.length > 0;
  if (isBoth) yield invalidField(path, null, `${exactlyOne}, but multiple fields are set`);
  const kept = (errors: Errors): Errors => (isBoth ? onlyLate(errors) : errors);
  if (exactly !== undefined) {
    yield* kept(wantedDevice(exactly, { path: childPath(path, 'exactly'), reference: name, attributes }));
  }
  yield* kept(alternatives(request, path, attributes));
}

function* alternatives(
  { name = '', firstAvailable = [] }: resource.DeviceRequest,
  path: string,
  attributes: DerivedAttributes,
): Errors {
  const list = childPath(path, 'firstAvailable');
  if (firstAvailable.length <= maxAlternatives) {
    yield* late(distinct(firstAvailable, list, (one) => one.name ?? '', inFieldOrder));
  }
  yield* limited(firstAvailable, list, maxAlternatives, function* (wanted, at) {
    yield* formErrors(childPath(at, 'name'), wanted.name ?? '', dnsLabelErrors(wanted.name ?? ''));
    yield* wantedDevice(wanted, { path: at, reference: `${name}/${wanted.name ?? ''}`, attributes });
  });
}

function* constraint(value: resource.DeviceConstraint, path: string, names: RequestNames): Errors {
  const { requests, matchAttribute, distinctAttribute } = value;
  yield* requestReferences(requests, childPath(path, 'requests'), names);
  if (matchAttribute !== undefined) yield* declaredQualifiedName(matchAttribute, childPath(path, 'matchAttribute'));
  if (distinctAttribute !== undefined) {
    yield* declaredQualifiedName(distinctAttribute, childPath(path, 'distinctAttribute'));
  }
  if (matchAttribute === undefined && distinctAttribute === undefined) {
    const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
    yield requiredField(path, detail);
  }
}

export function* deviceClaim(
  claim: resource.DeviceClaim,
  path: string,
  expressions: () => DeviceExpressionChecks,
): Errors {
  const names = requestNames(claim);
  const { requests = [], constraints, config } = claim;
  const attributes = new DerivedAttributes(constraints, expressions);
  if (requests.length <= maxItems) {
    yield* late(distinct(requests, childPath(path, 'requests'), ({ name = '' }) => name, inFieldOrder));
  }
  yield* limited(requests, childPath(path, 'requests'), maxItems, (request, at) =>
    deviceRequest(request, at, attributes),
  );
  yield* limited(constraints, childPath(path, 'constraints'), maxItems, (one, at) => constraint(one, at, names));
  yield* limited(config, childPath(path, 'config'), maxItems, function* ({ requests: references, opaque }, at) {
    yield* requestReferences(references, childPath(at, 'requests'), names);
    yield* opaqueConfiguration(opaque, childPath(at, 'opaque'));
  });
  yield* attributes.costErrors(path);
}
