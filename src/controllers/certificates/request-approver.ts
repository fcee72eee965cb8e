import type { UserInfo } from '../../api/contracts/user.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { NotYet } from '../work-queue.ts';
import { kubeletClientFault } from './request-checks.ts';
import {
  firstDelayMs,
  hasCondition,
  isIssued,
  kubeletClientSigner,
  parsedRequest,
  signingRequests,
  type StoredRequest,
} from './signing-requests.ts';

/** The kinds of kubelet requests that are approved, with the required permission; tried in order. */
const permissions = [
  {
    subresource: 'selfnodeclient',
    isOwn: true,
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  },
  {
    subresource: 'nodeclient',
    isOwn: false,
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  },
] as const;

/** Approves kubelets' requests for client certificates, if they are authorized. */
export function requestApprover(context: ControllerContext): AsyncDisposable {
  const { client, authorizer } = context;
  const loop = new ControlLoop(context, approve, { queue: 'certificate', firstDelayMs });
  const requests = loop.follow(signingRequests, {
    keep: (object) => {
      const request = object as StoredRequest; // decoded by its schema
      return request.spec?.signerName === kubeletClientSigner ? request : undefined;
    },
    changed: ({ now, key }) => {
      if (now !== undefined) loop.queue.add(key);
    },
  });
  return loop;

  async function approve(key: string): Promise<void> {
    const request = requests.get('', key.slice(1));
    if (request === undefined || isIssued(request)) return;
    if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
    const parsed = parsedRequest(request);
    if (kubeletClientFault(parsed, request.spec?.usages ?? []) !== undefined) return;
    const isOwn = request.spec?.username === parsed.commonName;
    for (const { subresource, message, ...permission } of permissions) {
      if (permission.isOwn && !isOwn) continue;
      if (!(await mayCreate(request, subresource))) continue;
      const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      const conditions = [...(request.status?.conditions ?? []), condition];
      await client.update(signingRequests, { ...request, status: { ...request.status, conditions } }, 'approval');
      return;
    }
    throw new NotYet('the requester may be authorized later');
  }

  async function mayCreate({ spec = {} }: StoredRequest, subresource: string): Promise<boolean> {
    const { username: name = '', uid = '', groups = [], extra = {} } = spec;
    const user: UserInfo = { name, uid, groups, extra };
    const { group, resource } = signingRequests;
    const requested = { verb: 'create', group, version: '*', resource, subresource, namespace: '', name: '', path: '' };
    const { decision } = await authorizer.authorize({ user, isResourceRequest: true, ...requested });
    return decision === 'allow';
  }
}
