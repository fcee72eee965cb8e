import { bind, type BindingRequest } from '../../operations/binding.ts';
import { type ResourceScope, servedKind } from '../../operations/resource-scope.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { operationOf, type VerbHandler } from '../request/resource-request.ts';
import { respondStatus } from '../responses/respond.ts';

export interface BindingParts extends Pick<BindingRequest, 'endsNomination'> {
  /** The scope of pods. */
  readonly pods: () => ResourceScope;
}

/** POST to `pods/binding`, and to `bindings` with the pod's name in the body. */
export function binding({ pods, endsNomination }: BindingParts): VerbHandler {
  return async (request) => {
    const { context, scope, subresource, format } = request;
    const served = servedKind(scope.resource, subresource);
    if (served === undefined) throw new Error('bindings are served without a schema');
    const { object, options } = await decodeRequest(request, served, () =>
      parseWriteOptions(context.query, 'CreateOptions'),
    );
    const name = context.info.name === '' ? (object.metadata.name ?? '') : context.info.name;
    // As in every object that is created without a name in the path.
    if (context.info.name === '') delete object.metadata.uid;
    await bind(operationOf(request), name, {
      binding: object,
      dryRun: options.dryRun,
      pods: pods(),
      endsNomination,
    });
    await respondStatus(context, { status: 'Success', code: 201 }, format);
  };
}
