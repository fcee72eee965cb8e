import type { Int64 } from '../../../api/values/int64.ts';
import { dnsLabelErrors } from '../../../api/meta/names.ts';
import type { PodTemplateSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { KindWarnings } from '../../kind-warnings.ts';
import { podWarnings } from '../pod-template/warnings.ts';
import type { Warnings } from '../warnings/per-item.ts';

/** What most workload names become part of. */
export const podNames = 'Pod names and hostnames';

interface Counted {
  readonly metadata?: { readonly name?: string; readonly generation?: Int64 };
}

/** Objects with a pod template. */
interface Templated extends Counted {
  readonly spec?: { readonly template?: PodTemplateSpec };
}

export function sameGeneration(object: Counted, old: Counted): boolean {
  return object.metadata?.generation === old.metadata?.generation;
}

/**
 * Warns about a template when the object is new or its generation has changed, and about names that pods will inherit.
 */
export function templated<T extends Counted>(warn: (object: T) => Warnings, nameUse?: string): KindWarnings<T> {
  return {
    *create(object) {
      if (nameUse !== undefined) yield* nameWarnings(object.metadata?.name, nameUse);
      yield* warn(object);
    },
    update: (object, old) => (sameGeneration(object, old) ? [] : warn(object)),
  };
}

/** Adds other warnings after those of the template, whether or not the generation changes. */
export function afterTemplate<T>(template: KindWarnings<T>, more: KindWarnings<T>): KindWarnings<T> {
  return {
    *create(object) {
      yield* template.create?.(object) ?? [];
      yield* more.create?.(object) ?? [];
    },
    *update(object, old) {
      yield* template.update?.(object, old) ?? [];
      yield* more.update?.(object, old) ?? [];
    },
  };
}

export function nameWarnings(name = '', use: string): string[] {
  const errors = dnsLabelErrors(name);
  if (errors.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
  ];
}

export function specTemplateWarnings({ spec }: Templated): Warnings {
  return podWarnings('spec.template', spec?.template ?? {});
}
