import type { JsonObject } from '../../api/json/json.ts';
import { evict } from '../../operations/eviction.ts';
import { servedKind } from '../../operations/resource-scope.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import type { Eviction } from '../../schema/kubernetes/generated/types/policy-v1.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { deleteOptionsOf, refuseEvictionReadErrors } from '../request/delete-options.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { nameOf, operationOf, type VerbHandler } from '../request/resource-request.ts';
import { respondStatus } from '../responses/respond.ts';

/** POST to `pods/eviction`. `budgets` is the store of disruption budgets. */
export function eviction(budgets: () => StoreKind): VerbHandler {
  return async (request) => {
    const { context, scope, subresource, format } = request;
    const served = servedKind(scope.resource, subresource);
    if (served === undefined) throw new Error('evictions are served without a schema');
    const { object, options } = await decodeRequest(request, { ...served, otherVersions: ['v1beta1'] }, () =>
      parseWriteOptions(context.query, 'CreateOptions'),
    );
    await evict(operationOf(request), nameOf(request), {
      eviction: object,
      dryRun: options.dryRun,
      budgets: budgets(),
      deletionOf({ deleteOptions = {} }: Eviction) {
        const raw = deleteOptions as JsonObject;
        refuseEvictionReadErrors(raw, nameOf(request));
        return deleteOptionsOf(raw, context.query.getAll('dryRun'));
      },
    });
    await respondStatus(context, { status: 'Success', code: 201 }, format);
  };
}
