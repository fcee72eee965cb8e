import type { AuthorizationAttributes, Authorizer } from '../../api/contracts/authorization.ts';
import { type FieldError, invalidField } from '../../api/errors/field-error.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { invalid } from '../../api/errors/status-errors.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type {
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
} from '../../schema/kubernetes/generated/types/authorization-v1.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../../registry/write/metadata.ts';
import type { Resource } from '../../schema/resource.ts';
import { wireForm } from '../../schema/wire-form.ts';
import { trackOwners } from '../../operations/field-owners.ts';
import { inTime } from '../request/in-time.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { operationOf, type ResourceRequest, type VerbHandler } from '../request/resource-request.ts';
import { respondObject } from '../responses/respond.ts';
import { decodeReview } from './decode-review.ts';
import { selectionOf } from './review-selection.ts';
import { selectorErrors } from './review-selectors.ts';

/** The user that a review is about: the requester or a named one. */
type ReviewSubject = 'self' | 'named';

/** Serves the access reviews of authorization.k8s.io: whether a user may do something. */
export function accessReview(authorizer: Authorizer, subject: ReviewSubject): VerbHandler {
  return async (request) => {
    const { context, scope, format } = request;
    const served = scope.resource;
    const { object, fieldManager } = await decodeReview(request);
    const manager = managerOfRequest(context, fieldManager);
    await trackOwners(operationOf(request), { live: undefined, updated: object, manager });
    ensureNamespaceMatches(object.metadata, expectedNamespace(context.info.namespace, served.namespaced));
    // Decoded by the schema of the review.
    const spec = (object['spec'] ?? {}) as SubjectAccessReviewSpec;
    checkReview(request, object, spec, subject);
    const user = subject === 'self' ? context.user : userOf(spec);
    const { selectors, problems } = selectionOf(spec.resourceAttributes ?? {});
    const result = authorizer.authorize({ ...attributesOf(spec, user), selectors });
    const { decision, reason, error } = result instanceof Promise ? await inTime(context, result) : result;
    const errors = error === undefined ? problems : [error, ...problems];
    const status = {
      allowed: decision === 'allow',
      ...(decision === 'deny' ? { denied: true } : {}),
      ...(reason === '' ? {} : { reason }),
      ...(errors.length === 0 ? {} : { evaluationError: errors.join('; ') }),
    };
    const review: KubernetesObject = { ...object, status };
    await respondObject(context, scope, { code: 201, object: review, format, served });
  };
}

function checkReview(
  request: ResourceRequest,
  object: KubernetesObject,
  spec: SubjectAccessReviewSpec,
  subject: ReviewSubject,
): void {
  const { scope } = request;
  const errors: FieldError[] = [];
  const { resourceAttributes, nonResourceAttributes, user = '', groups = [] } = spec;
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidField('spec', goAttributes(nonResourceAttributes), detail));
  }
  if (subject === 'named' && user === '' && groups.length === 0) {
    errors.push(invalidField('spec.user', user, 'at least one of user or group must be specified'));
  }
  errors.push(...selectorErrors(resourceAttributes), ...metadataErrors(scope.resource, object));
  const attributed = resourceAttributes?.namespace ?? '';
  if (scope.resource.namespaced && resourceAttributes !== undefined && attributed !== object.metadata.namespace) {
    const detail = 'must match metadata.namespace';
    errors.push(invalidField('spec.resourceAttributes.namespace', attributed, detail));
  }
  if (scope.resource.namespaced && nonResourceAttributes !== undefined) {
    const detail = 'disallowed on this kind of request';
    errors.push(invalidField('spec.nonResourceAttributes', goAttributes(nonResourceAttributes), detail));
  }
  // The error names only the group.
  if (errors.length > 0) throw invalid({ group: scope.resource.group, kind: '' }, '', errors);
}

/** The reference shows these with their Go field names. */
function goAttributes(attributes: NonResourceAttributes | undefined): JsonObject | null {
  return attributes === undefined ? null : { Path: attributes.path ?? '', Verb: attributes.verb ?? '' };
}

const ownedByServer = ['creationTimestamp', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'];

/** Reviews are not stored: of their metadata only the namespace has meaning. */
function metadataErrors({ namespaced, schema }: Resource, object: KubernetesObject): FieldError[] {
  const left = namespaced ? ownedByServer : [...ownedByServer, 'namespace'];
  const kept = Object.fromEntries(Object.entries(object.metadata).filter(([name]) => !left.includes(name)));
  const meant = Object.keys(kept).filter((name) => name !== 'managedFields' && name !== 'namespace');
  if (meant.length === 0) return [];
  const metadata = schema.structure?.fields.get('metadata')?.schema;
  const detail = `must be empty${namespaced ? ' except for namespace' : ''}`;
  // Metadata fields are JSON.
  const shown = kept as JsonObject;
  return [invalidField('metadata', metadata === undefined ? shown : wireForm(metadata, shown), detail)];
}

function userOf({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): UserInfo {
  return { name: user, uid, groups, extra };
}

function attributesOf(spec: SubjectAccessReviewSpec, user: UserInfo): AuthorizationAttributes {
  const { resourceAttributes, nonResourceAttributes } = spec;
  return resourceAttributes === undefined
    ? pathAttributes(nonResourceAttributes ?? {}, user)
    : resourceAttributesOf(resourceAttributes, user);
}

function pathAttributes({ path = '', verb = '' }: NonResourceAttributes, user: UserInfo): AuthorizationAttributes {
  const nothing = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  return { user, verb, path, isResourceRequest: false, ...nothing };
}

function resourceAttributesOf(attributes: ResourceAttributes, user: UserInfo): AuthorizationAttributes {
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = attributes;
  const requested = { verb, group, version: version || '*', resource, subresource, namespace, name };
  return { user, path: '', isResourceRequest: true, ...requested };
}
