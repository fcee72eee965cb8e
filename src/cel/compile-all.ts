import { inSlices } from '../api/scheduling/time-slice.ts';
import { type CompiledExpression, compileExpression, ExpressionError } from './compile-expression.ts';
import type { Environment } from './environments/environment.ts';
import type { CelType } from './types/cel-type.ts';

/** An expression, or why it does not compile: who uses it decides what that means. */
export type Compiled = CompiledExpression | ExpressionError;

export interface ExpressionSource {
  readonly environment: Environment;
  readonly text: string;
  /** Absent: any type. */
  readonly expected?: readonly CelType[];
}

/** As `compileExpression`, with the error as a value. */
export function compileAny({ environment, text, expected }: ExpressionSource): Compiled {
  try {
    return compileExpression(environment, text, expected);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

/**
 * Compiles expressions one after the other, of which there may be thousands; others run in between. Each is taken
 * before the next source is asked for.
 */
export async function compileEach<Source extends ExpressionSource>(
  sources: Iterable<Source>,
  take: (compiled: Compiled, source: Source) => void,
): Promise<void> {
  await inSlices(sources, (source) => take(compileAny(source), source));
}

/** Compiles expressions that do not depend on each other. */
export function compileAll(sources: readonly ExpressionSource[]): Promise<readonly Compiled[]> {
  return inSlices(sources, compileAny);
}
