import { requestEntityTooLarge } from '../../../api/errors/status-errors.ts';
import type { Container, LimitRangeItem, Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';

type Amounts = { readonly [resource: string]: string };

// A pod with more containers is too large to be stored.
const maxAmounts = 500_000;

const annotation = 'kubernetes.io/limit-ranger';

/** Sets missing requests and limits of containers, and records what it set in an annotation of the pod. */
export function applyLimitDefaults(pod: Pod, limits: readonly LimitRangeItem[]): void {
  const items = limits.filter(({ type }) => type === 'Container');
  const defaults = {
    requests: Object.fromEntries(items.flatMap(({ defaultRequest = {} }) => Object.entries(defaultRequest))),
    limits: Object.fromEntries(items.flatMap((item) => Object.entries(item.default ?? {}))),
  };
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const amounts = Object.keys(defaults.requests).length + Object.keys(defaults.limits).length;
  if (amounts * (containers.length + initContainers.length) > maxAmounts) {
    throw requestEntityTooLarge(`limit is ${maxAmounts} amounts`);
  }
  const set = [
    ...containers.flatMap((container) => fillContainer(container, 'container', defaults)),
    ...initContainers.flatMap((container) => fillContainer(container, 'init container', defaults)),
  ];
  if (set.length === 0) return;
  const text = `LimitRanger plugin set: ${set.join('; ')}`;
  pod.metadata = { ...pod.metadata, annotations: { ...pod.metadata?.annotations, [annotation]: text } };
}

/** The text of the annotation. */
function fillContainer(
  container: Container,
  what: string,
  defaults: { readonly requests: Amounts; readonly limits: Amounts },
): string[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const given = container.resources?.[list] ?? {};
    const missing = Object.keys(defaults[list]).filter((resource) => !Object.hasOwn(given, resource));
    if (missing.length === 0) return [];
    container.resources = { ...container.resources, [list]: { ...defaults[list], ...given } };
    return [`${missing.sort().join(', ')} ${list.slice(0, -1)} for ${what} ${container.name ?? ''}`];
  });
}
