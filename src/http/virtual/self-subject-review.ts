import type { KubernetesObject } from '../../api/meta/object.ts';
import { formatSeconds } from '../../registry/write/metadata.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import { respondObject } from '../responses/respond.ts';
import { decodeReview } from './decode-review.ts';

/** Returns the requester's own user info (`kubectl auth whoami`). */
export async function selfSubjectReview(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  const served = scope.resource;
  const { object } = await decodeReview(request);
  const { name, uid, groups, extra } = context.user;
  const review: KubernetesObject = {
    ...object,
    metadata: { creationTimestamp: formatSeconds(context.receivedMs) },
    status: {
      userInfo: {
        username: name,
        ...(uid === '' ? {} : { uid }),
        groups: [...groups],
        extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
      },
    },
  };
  await respondObject(context, scope, { code: 201, object: review, format, served });
}
