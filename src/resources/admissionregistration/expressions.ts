import { releaseBefore } from '../../schema/kubernetes/feature-gates.ts';
import type { StrategyOf } from '../define-kind.ts';
import type { ExpressionChecks } from './expression-checks.ts';

// CEL is not loaded for objects without expressions.

/** Of objects that are being written; those without expressions have none. */
const prepared = new WeakMap<object, ExpressionChecks>();

/** Loads the validation of expressions. New ones must be valid in the previous release. */
export function compiledAs<T extends object>(
  release: string,
  hasExpressions: (object: T) => boolean,
): Pick<StrategyOf<T>, 'beginCreate' | 'beginUpdate'> {
  const minor = Number(releaseBefore(release).split('.')[1]);
  const begin = async (object: T): Promise<undefined> => {
    const checks = await import('./expression-checks.ts');
    await checks.prepareExpressions();
    prepared.set(object, new checks.ExpressionChecks(minor));
  };
  const beginIfNeeded = (object: T): Promise<undefined> | undefined =>
    hasExpressions(object) ? begin(object) : undefined;
  return { beginCreate: beginIfNeeded, beginUpdate: beginIfNeeded };
}

/** Of an object with expressions. */
export function expressionChecks(object: object): ExpressionChecks {
  const checks = prepared.get(object);
  if (checks === undefined) throw new Error('the expression compiler is not loaded');
  return checks;
}
