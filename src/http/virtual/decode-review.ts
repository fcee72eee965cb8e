import type { KubernetesObject } from '../../api/meta/object.ts';
import { admissionAttributes } from '../../operations/admission-attributes.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { wipeSystemMetadata } from '../../registry/write/metadata.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { operationOf, type ResourceRequest } from '../request/resource-request.ts';

/** Decodes a posted review: nothing is stored, but admission may reject it like any other object. */
export async function decodeReview(
  request: ResourceRequest,
): Promise<{ readonly object: KubernetesObject; readonly fieldManager: string }> {
  const { context, scope, admission } = request;
  const { object, options } = await decodeRequest(request, scope.resource, () =>
    parseWriteOptions(context.query, 'CreateOptions'),
  );
  wipeSystemMetadata(object.metadata);
  const { dryRun, fieldManager } = options;
  const write = {
    operation: 'CREATE',
    name: object.metadata.name ?? '',
    object,
    oldObject: undefined,
    dryRun,
  } as const;
  const attributes = admissionAttributes(operationOf(request), write);
  await admission.mutate(attributes);
  await admission.validate(attributes);
  return { object, fieldManager };
}
