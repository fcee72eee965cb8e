import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  childPath,
  keyPath,
  notSupportedField,
} from '../../../api/errors/field-error.ts';
import { duplicateField, notFoundField } from '../../../api/errors/field-error.ts';
import { joined } from '../../../api/errors/findings.ts';
import { qualifiedNameErrors } from '../../../api/meta/names.ts';
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityValue,
} from '../../../api/values/quantity.ts';
import type { ResourceClaim, ResourceRequirements } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '../../../schema/kubernetes/resource-names.ts';
import { dnsLabel, type Errors, formErrors, negativeMessage } from '../rules/rules.ts';

// Resource names (cpu, memory, example.com/gpu ...) and quantities.

const zero = parseQuantity('0');

export function sign(text: string): number {
  return compareQuantities(parseQuantity(text), zero);
}

export function compareTexts(a: string, b: string): number {
  return compareQuantities(parseQuantity(a), parseQuantity(b));
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-');
}

export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

const objectCounts = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const computeResources = ['cpu', 'memory', 'ephemeral-storage'];
const integerResources: ReadonlySet<string> = new Set(objectCounts);
const quotaResources: ReadonlySet<string> = new Set([
  ...computeResources,
  ...computeResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...objectCounts,
]);
const containerResources: ReadonlySet<string> = new Set(computeResources);

export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name);
}

type NameRule = (name: string, path: string) => Errors;

export function resourceName(name: string, path: string): FieldError[] {
  const errors = [...formErrors(path, name, qualifiedNameErrors(name))];
  if (errors.length === 0 && !name.includes('/') && !isStandardQuotaResource(name) && name !== 'storage') {
    errors.push(invalidField(path, name, 'must be a standard resource type or fully qualified'));
  }
  return errors;
}

export function containerResourceName(name: string, path: string): FieldError[] {
  const errors = resourceName(name, path);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      errors.push(invalidField(path, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidField(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

export function podResourceName(name: string, path: string): FieldError[] {
  const errors = resourceName(name, path);
  if (errors.length === 0 && name !== 'cpu' && name !== 'memory' && !isHugePages(name)) {
    errors.push(notSupportedField(path, name, ['cpu', 'hugepages-', 'memory']));
  }
  return errors;
}

export function quotaResourceName(name: string, path: string): FieldError[] {
  const errors = resourceName(name, path);
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    errors.push(invalidField(path, name, 'must be a standard resource for quota'));
  }
  return errors;
}

/** A quantity of a resource: not negative, and whole for countable resources. */
export function amount(name: string, value: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (sign(value) < 0) errors.push(invalidField(path, value, negativeMessage));
  if ((integerResources.has(name) || isExtendedResource(name)) && !isWhole(parseQuantity(value))) {
    errors.push(invalidField(path, value, 'must be an integer'));
  }
  return errors;
}

/** Whole when rounded to thousandths. */
function isWhole({ unscaled, exponent }: Quantity): boolean {
  if (exponent >= 0) return true;
  const thousandths = 10n ** BigInt(Math.max(-exponent - 3, 0));
  const milli = exponent < -3 ? (unscaled + thousandths - 1n) / thousandths : unscaled * 10n ** BigInt(3 + exponent);
  return milli % 1000n === 0n;
}

export function* positiveQuantity(value: string, path: string): Errors {
  if (sign(value) <= 0) yield invalidField(path, value, 'must be greater than zero');
}

export function* nonNegativeQuantity(value: string, path: string): Errors {
  if (sign(value) < 0) yield invalidField(path, value, negativeMessage);
}

/** A non-negative number of bytes or similar. */
export function* basicAmount(value: string, path: string): Errors {
  const units = quantityValue(parseQuantity(value));
  if (units < 0n) yield invalidField(path, units, 'must be a valid resource quantity');
}

/** A resource list, each quantity at `path[name]`. */
export function amounts(nameRule: NameRule) {
  return function* (values: { readonly [name: string]: string } | undefined, path: string): Errors {
    for (const name in values) {
      yield* nameRule(name, keyPath(path, name));
      yield* amount(name, values[name] ?? '', keyPath(path, name));
    }
  };
}

function hugePagesAmount(name: string, value: string, path: string): FieldError[] {
  if (!isHugePages(name)) return [];
  const page = pageBytes(name);
  if (page > 0n && quantityValue(parseQuantity(value)) % page === 0n) return [];
  return [invalidField(path, value, `${value} is not positive integer multiple of ${name}`)];
}

/** Zero if the name contains no size. */
function pageBytes(name: string): bigint {
  try {
    return quantityValue(parseQuantity(name.slice('hugepages-'.length)));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return 0n;
  }
}

const noClaims: ReadonlySet<string> = new Set();

/** Requests and limits of a container or pod; `claimNames` are the pod's. */
export function resourceRequirements(nameRule: NameRule, claimNames: ReadonlySet<string> = noClaims) {
  return function* (resources: ResourceRequirements, path: string): Errors {
    const limits = resources.limits ?? {};
    const requests = resources.requests ?? {};
    for (const name in limits) {
      const value = limits[name] ?? '';
      const limitPath = keyPath(childPath(path, 'limits'), name);
      yield* nameRule(name, limitPath);
      yield* amount(name, value, limitPath);
      yield* hugePagesAmount(name, value, limitPath);
    }
    for (const name in requests) {
      yield* request({ name, value: requests[name] ?? '', limits, path, nameRule });
    }
    const names = [...Object.keys(limits), ...Object.keys(requests)];
    if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
      yield forbiddenField(path, 'HugePages require cpu or memory');
    }
    if (resources.claims) yield* claimReferences(resources.claims, claimNames, childPath(path, 'claims'));
  };
}

interface Request {
  readonly name: string;
  readonly value: string;
  readonly limits: { readonly [name: string]: string };
  readonly path: string;
  readonly nameRule: NameRule;
}

function request({ name, value, limits, path, nameRule }: Request): Errors {
  const requestsPath = childPath(path, 'requests');
  const requestPath = keyPath(requestsPath, name);
  const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
  return joined(
    nameRule(name, requestPath),
    amount(name, value, requestPath),
    limit === undefined ? withoutLimit(name, path) : againstLimit({ name, value, limit }, requestsPath),
    hugePagesAmount(name, value, requestPath),
  );
}

function withoutLimit(name: string, path: string): FieldError[] {
  if (isOvercommitAllowed(name)) return [];
  return [requiredField(childPath(path, 'limits'), 'Limit must be set for non overcommitable resources')];
}

function againstLimit(
  { name, value, limit }: { readonly name: string; readonly value: string; readonly limit: string },
  path: string,
): FieldError[] {
  const compared = compareTexts(value, limit);
  if (compared !== 0 && !isOvercommitAllowed(name)) {
    return [invalidField(path, value, `must be equal to ${name} limit of ${limit}`)];
  }
  return compared > 0 ? [invalidField(path, value, `must be less than or equal to ${name} limit of ${limit}`)] : [];
}

function* claimReferences(claims: readonly ResourceClaim[], claimNames: ReadonlySet<string>, path: string): Errors {
  const seen = new Set<string>();
  /** Requests named so far, by claim. */
  const parts = new Map<string, number>();
  for (const [index, { name = '', request: part = '' }] of claims.entries()) {
    const itemPath = keyPath(path, index);
    if (name === '') {
      yield requiredField(itemPath);
      continue;
    }
    if (seen.has(name)) yield duplicateField(itemPath, name);
    else {
      if (part !== '') yield* dnsLabel(part, childPath(itemPath, 'request'));
      const key = part === '' ? name : `${name}/${part}`;
      if (seen.has(key)) yield duplicateField(itemPath, key);
      else if (part === '') {
        for (let count = parts.get(name) ?? 0; count > 0; count--) yield duplicateField(itemPath, name);
      } else parts.set(name, (parts.get(name) ?? 0) + 1);
      seen.add(key);
    }
    if (!claimNames.has(name)) {
      const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
      yield notFoundField(itemPath, name, `must be one of the names in pod.spec.resourceClaims${known}`);
    }
  }
}
