import type { Expr } from '../syntax/ast.ts';
import type { CelType } from '../types/cel-type.ts';
import { type Estimate, unknownSize } from './estimates.ts';

/** An argument of a call as estimates see it. */
export interface EstimatedNode {
  /** How it is reached from a variable, if it is: `self`, `list`, `@items`. */
  readonly path: readonly string[] | undefined;
  readonly type: CelType;
  readonly expr: Expr;
  /** Undefined when nothing is known. */
  readonly size: Estimate | undefined;
}

/** The most that a schema allows of what a path leads to; undefined when it says nothing. */
export type DeclaredSize = (path: readonly string[]) => number | undefined;

export interface CallEstimate {
  readonly cost: Estimate;
  /** Of the result. */
  readonly size?: Estimate;
}

export interface EstimatedCall {
  readonly function: string;
  readonly overload: string;
  readonly target: EstimatedNode | undefined;
  readonly args: readonly EstimatedNode[];
  readonly declaredSize: DeclaredSize;
}

/** As far as it is known, or else as far as a schema tells. */
export function sizeOfNode({ size, path }: Pick<EstimatedNode, 'size' | 'path'>, declaredSize: DeclaredSize): Estimate {
  if (size !== undefined) return size;
  const most = path === undefined || path.length === 0 ? undefined : declaredSize(path);
  return most === undefined ? unknownSize : { min: 0n, max: BigInt(most) };
}

/** Sizes of what is in a list or map. */
export interface EntrySize {
  readonly kind: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

/** What is known of the lists and maps of an expression. */
export interface EntrySizes {
  entrySize(expr: Expr): EntrySize | undefined;
  setEntrySize(expr: Expr, size: EntrySize): void;
}
