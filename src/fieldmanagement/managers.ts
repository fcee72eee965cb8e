import type { FieldSet } from './field-set.ts';
import { formatPath, type FieldPath } from './path-element.ts';
import { compareBytewise } from '../api/json/json-text.ts';

/** The fields of one manager. */
export interface Ownership {
  readonly set: FieldSet;
  /** The version of the kind that the paths are in. */
  readonly apiVersion: string;
  /** Owned by Apply rather than Update. */
  readonly applied: boolean;
}

/** Ownership by manager id. */
export type Managers = ReadonlyMap<string, Ownership>;

/** A field owned by another manager. */
export interface OwnershipConflict {
  readonly manager: string;
  readonly path: FieldPath;
}

/** Thrown when an apply would change fields of other managers. */
export class OwnershipConflictError extends Error {
  readonly code = 'OWNERSHIP_CONFLICT';
  readonly conflicts: readonly OwnershipConflict[];

  constructor(conflicts: readonly OwnershipConflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/** One line per manager, then one per path. */
export function conflictLines(
  conflicts: readonly OwnershipConflict[],
  show: (manager: string) => string,
): readonly string[] {
  const managers = Map.groupBy(conflicts, ({ manager }) => manager);
  return [...managers.keys()]
    .sort(compareBytewise)
    .flatMap((manager) => [
      `conflicts with ${show(manager)}:`,
      ...(managers.get(manager) ?? []).map(({ path }) => `- ${formatPath(path)}`),
    ]);
}
