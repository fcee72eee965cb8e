import type { Expr } from '../syntax/ast.ts';
import type { CelType } from '../types/cel-type.ts';
import { type Estimate, unknownSize } from './estimates.ts';

/** An argument of a call, as estimates see it. */
export interface EstimatedNode {
  /** Its access path from a variable, if any: `self`, `list`, `@items`. */
  readonly path: readonly string[] | undefined;
  readonly type: CelType;
  readonly expr: Expr;
  /** Undefined when unknown. */
  readonly size: Estimate | undefined;
}

/** Maximum size that the schema allows at a path; undefined when unbounded. */
export type DeclaredSize = (path: readonly string[]) => number | undefined;

export interface CallEstimate {
  readonly cost: Estimate;
  /** Size of the result. */
  readonly size?: Estimate;
}

export interface EstimatedCall {
  readonly function: string;
  readonly overload: string;
  readonly target: EstimatedNode | undefined;
  readonly args: readonly EstimatedNode[];
  readonly declaredSize: DeclaredSize;
}

/** The known size, or else the schema's bound. */
export function sizeOfNode({ size, path }: Pick<EstimatedNode, 'size' | 'path'>, declaredSize: DeclaredSize): Estimate {
  if (size !== undefined) return size;
  const most = path === undefined || path.length === 0 ? undefined : declaredSize(path);
  return most === undefined ? unknownSize : { min: 0n, max: BigInt(most) };
}

/** Sizes of the elements of a list or map. */
export interface EntrySize {
  readonly kind: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

/** What is known of the lists and maps in an expression. */
export interface EntrySizes {
  entrySize(expr: Expr): EntrySize | undefined;
  setEntrySize(expr: Expr, size: EntrySize): void;
}
