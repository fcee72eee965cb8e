import { isReason } from '../api/errors/status.ts';
import type { DeleteOptions } from '../registry/kinds/delete-options.ts';
import { deleteAdmitted } from './delete.ts';
import type { Operation } from './operation.ts';

/** As many deletions as fit into one store batch. */
const defaultAtOnce = 16;

/**
 * Deletes the listed objects, several at a time, but one by one if the first that does not fulfil the preconditions is
 * to be the last. Throws StatusErrors.
 */
export async function deleteListed(
  operation: Operation,
  keys: readonly string[],
  options: DeleteOptions,
  atOnce = defaultAtOnce,
): Promise<void> {
  // What has been deleted would be missing from another thread's answer.
  const single: Operation = { ...operation, passing: () => undefined };
  const names = keys.map((key) => key.slice(key.lastIndexOf('/') + 1));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let name = names[next]; name !== undefined; name = names[next]) {
      next += 1;
      try {
        await deleteAdmitted(single, name, { options, requested: '' });
      } catch (error) {
        // Already deleted by another client.
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  };
  const { uid, resourceVersion } = options.preconditions;
  const length = uid === undefined && resourceVersion === undefined ? atOnce : 1;
  await Promise.all(Array.from({ length }, worker));
}
