import { goQuote } from '../api/go/go-quote.ts';
import { StatusError } from '../api/errors/status.ts';
import { managerOf } from './managed-entries.ts';
import { conflictLines, type OwnershipConflict } from './managers.ts';
import { formatPath } from './path-element.ts';

/** The 409 Status of an apply that conflicts with other managers. */
export function applyConflict(conflicts: readonly OwnershipConflict[]): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: conflictMessage(conflicts),
    details: {
      causes: conflicts.map(({ manager, path }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${managerText(manager)}`,
        field: formatPath(path),
      })),
    },
  });
}

function conflictMessage(conflicts: readonly OwnershipConflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${formatPath(first.path)}`;
  }
  const lines = conflictLines(conflicts, managerText);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** `"kubectl" with subresource "scale" using apps/v1` */
function managerText(id: string): string {
  const { manager, operation, apiVersion, subresource, time } = managerOf(id);
  const name = goQuote(manager) + (subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`);
  if (operation === 'Apply') return name;
  return `${name} using ${apiVersion}${time === '' ? '' : ` at ${time}`}`;
}
