import { StatusError } from '../../api/status.ts';
import { listObjects } from '../../registry/list.ts';
import { readDeleteOptions } from '../delete-options.ts';
import { parseListOptions } from '../request-options.ts';
import { type ResourceRequest, storeOf } from '../resource-request.ts';
import { readSelection } from '../selection.ts';
import { deleteNamed } from './delete.ts';
import { respondList } from './list.ts';

const concurrency = 16;

/** DELETE of a collection: each object by itself, as many at once as one store group takes gladly. */
export async function deleteCollection(request: ResourceRequest): Promise<void> {
  const { context, scope, features } = request;
  const listOptions = parseListOptions(context.query, features.watchList);
  const options = await readDeleteOptions(context);
  const store = storeOf(request);
  const result = await listObjects(store, {
    ...listOptions,
    selection: readSelection(request, listOptions),
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
  const names = result.entries.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let name = names[next]; name !== undefined; name = names[next]) {
      next += 1;
      try {
        await deleteNamed(request, name, options);
      } catch (error) {
        // Somebody else was quicker.
        if (!(error instanceof StatusError) || error.status.reason !== 'NotFound') throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await respondList(request, result);
}
