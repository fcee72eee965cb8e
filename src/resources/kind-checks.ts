import { decodedAs } from './decoded-as.ts';
import { invalidField } from '../api/errors/field-error.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Strategy, WriteContext } from '../registry/kinds/strategy.ts';
import type { Errors } from './parts/rules/rules.ts';

type Check<T> = (object: T, context: WriteContext) => Errors;
type UpdateCheck<T> = (object: T, old: T, context: WriteContext) => Errors;

/** The checks of a kind; `both` applies to creates and updates and is reported first. */
export interface KindChecks<T> {
  readonly both?: Check<T>;
  readonly create?: Check<T>;
  readonly update?: UpdateCheck<T>;
  /** Updates through subresources, by name. */
  readonly subresources?: { readonly [name: string]: UpdateCheck<T> };
  /** Finalizers need no domain prefix. */
  readonly anyFinalizer?: boolean;
}

/** The validation members of a strategy. */
export function strategyOfChecks<T>({ both, create, update, subresources, anyFinalizer }: KindChecks<T>): Strategy {
  const finalizers = (object: KubernetesObject): Errors =>
    anyFinalizer === true ? [] : finalizerErrors(object.metadata.finalizers);
  return {
    *validate(object, context) {
      const typed = decodedAs<T>(object);
      yield* finalizers(object);
      if (both) yield* both(typed, context);
      if (create) yield* create(typed, context);
    },
    *validateUpdate(object, old, context) {
      const typed = decodedAs<T>(object);
      yield* finalizers(object);
      if (both) yield* both(typed, context);
      if (update) yield* update(typed, decodedAs<T>(old), context);
    },
    subresources: Object.fromEntries(
      Object.entries(subresources ?? {}).map(([name, check]) => [
        name,
        {
          *validateUpdate(object: KubernetesObject, old: KubernetesObject, context: WriteContext) {
            yield* finalizers(object);
            yield* check(decodedAs<T>(object), decodedAs<T>(old), context);
          },
        },
      ]),
    ),
  };
}

const plainFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

export function* finalizerErrors(finalizers: readonly string[] = []): Errors {
  for (const [index, name] of finalizers.entries()) {
    if (name.includes('/') || plainFinalizers.has(name)) continue;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    yield invalidField(`metadata.finalizers[${index}]`, name, detail);
  }
}
