import { compareQuantities, formatQuantity, parseQuantity } from '../../../api/values/quantity.ts';
import type { PodSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { aggregateAmounts } from '../../parts/pod-template/resources.ts';

const hugePages = 'hugepages-';

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith(hugePages);
}

/** Completes pod-level resources: from those of the containers, and requests from limits. */
export function completePodResources(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const limits = new Map(Object.entries(resources.limits ?? {}));
  const requests = new Map(Object.entries(resources.requests ?? {}));
  if (limits.size === 0 && requests.size === 0) return;
  for (const [resource, sum] of aggregateAmounts(spec, 'limits')) {
    const isMissing = !requests.has(resource) && !limits.has(resource);
    if (resource.startsWith(hugePages) && isMissing) limits.set(resource, formatQuantity(sum));
  }
  for (const [resource, sum] of aggregateAmounts(spec, 'requests')) {
    const counts = isPodLevel(resource) && !resource.startsWith(hugePages);
    if (counts && !requests.has(resource)) requests.set(resource, formatQuantity(sum));
  }
  for (const [resource, limit] of limits) {
    if (isPodLevel(resource) && !requests.has(resource)) requests.set(resource, limit);
  }
  limitWhatContainersLimit(spec, requests, limits);
  if (limits.size > 0) resources.limits = Object.fromEntries(limits);
  if (requests.size > 0) resources.requests = Object.fromEntries(requests);
}

/** A resource limited by every container gets a pod-level limit. */
function limitWhatContainersLimit(
  spec: PodSpec,
  requests: ReadonlyMap<string, string>,
  limits: Map<string, string>,
): void {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const sums = aggregateAmounts(spec, 'limits');
  for (const [resource, request] of requests) {
    if (!isPodLevel(resource) || limits.has(resource)) continue;
    const sum = sums.get(resource);
    const isLimited = containers.every((container) => Object.hasOwn(container.resources?.limits ?? {}, resource));
    if (sum === undefined || !isLimited) continue;
    limits.set(resource, compareQuantities(parseQuantity(request), sum) > 0 ? request : formatQuantity(sum));
  }
}
