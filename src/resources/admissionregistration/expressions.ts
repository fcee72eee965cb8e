import { minorOf, releaseBefore } from '../../schema/kubernetes/feature-gates.ts';
import type { StrategyOf } from '../define-kind.ts';
import { PreparedChecks } from '../parts/prepared-checks.ts';
import type { ExpressionChecks } from './expression-checks.ts';

// CEL is not loaded for objects without expressions.

const prepared = new PreparedChecks<ExpressionChecks>();

/** Loads the validation of expressions. New ones must be valid in the previous release. */
export function compiledAs<T extends object>(
  release: string,
  hasExpressions: (object: T) => boolean,
): Pick<StrategyOf<T>, 'beginCreate' | 'beginUpdate'> {
  const minor = minorOf(releaseBefore(release));
  const load = async (): Promise<ExpressionChecks> => {
    const checks = await import('./expression-checks.ts');
    await checks.prepareExpressions();
    return new checks.ExpressionChecks(minor);
  };
  return prepared.hooks(load, (object: T) => hasExpressions(object));
}

/** The checks of an object with expressions. */
export function expressionChecks(object: object): ExpressionChecks {
  return prepared.of(object);
}
