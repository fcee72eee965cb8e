import type { FieldSet } from './field-set.ts';
import { formatPath, type FieldPath } from './path-element.ts';
import { compareBytewise } from '../api/json-text.ts';

/** What one manager owns. */
export interface Ownership {
  readonly set: FieldSet;
  /** Version of the kind that the paths speak of. */
  readonly apiVersion: string;
  /** By apply, not by update. */
  readonly applied: boolean;
}

/** Who owns what, by an identifier of each manager. */
export type Managers = ReadonlyMap<string, Ownership>;

/** A field that somebody else owns. */
export interface OwnershipConflict {
  readonly manager: string;
  readonly path: FieldPath;
}

/** An apply would change what others own. */
export class OwnershipConflictError extends Error {
  readonly code = 'OWNERSHIP_CONFLICT';
  readonly conflicts: readonly OwnershipConflict[];

  constructor(conflicts: readonly OwnershipConflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/** A line for each manager, one for each path below it. */
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
