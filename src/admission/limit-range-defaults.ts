import type { Container, LimitRangeItem, Pod } from '../schema/kubernetes/generated/types/core-v1.ts';

type Amounts = { readonly [resource: string]: string };

const annotation = 'kubernetes.io/limit-ranger';

/** Gives containers the amounts that they do not say, and tells of it in an annotation of the pod. */
export function applyLimitDefaults(pod: Pod, limits: readonly LimitRangeItem[]): void {
  const items = limits.filter(({ type }) => type === 'Container');
  const defaults = {
    requests: Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)) as Amounts, // amounts, all of them
    limits: Object.assign({}, ...items.map((item) => item.default)) as Amounts, // the same
  };
  const set = [
    ...(pod.spec?.containers ?? []).flatMap((container) => fillContainer(container, 'container', defaults)),
    ...(pod.spec?.initContainers ?? []).flatMap((container) => fillContainer(container, 'init container', defaults)),
  ];
  if (set.length === 0) return;
  const text = `LimitRanger plugin set: ${set.join('; ')}`;
  pod.metadata = { ...pod.metadata, annotations: { ...pod.metadata?.annotations, [annotation]: text } };
}

/** What was set, in words. */
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
