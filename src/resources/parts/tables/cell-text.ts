import type { Container } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';

/** The cell of the Name column. */
export function nameOf(object: { readonly metadata?: ObjectMeta }): string {
  return object.metadata?.name ?? '';
}

/** The conditions by type; of duplicates the last one counts. */
export function conditionsByType<T extends { readonly type?: string }>(conditions: readonly T[] = []): Map<string, T> {
  return new Map(conditions.map((condition) => [condition.type ?? '', condition]));
}

export function findCondition<T extends { readonly type?: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The first `shown` items, and the number of the rest. */
export function listWithMore(items: readonly string[], shown: number, total = items.length): string {
  const text = items.slice(0, shown).join(',');
  if (total > shown) return `${text} + ${total - shown} more...`;
  return text === '' ? '<unset>' : text;
}

export interface ContainerCells {
  readonly names: string;
  readonly images: string;
}

/** The cells of the wide columns Containers and Images. */
export function containerCells(containers: readonly Container[] = []): ContainerCells {
  return {
    names: containers.map(({ name }) => name ?? '').join(','),
    images: containers.map(({ image }) => image ?? '').join(','),
  };
}

/** Addresses of a load balancer, sorted, without duplicates. */
export function loadBalancerAddresses(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] = [],
): string {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '').filter((address) => address !== '');
  return [...new Set(addresses)].toSorted(byBytes).join(',');
}

/** The reference's order of ASCII strings. */
export function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
