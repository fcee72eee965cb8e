import type { Authenticator, Identity, PresentedToken } from '../../api/contracts/authentication.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { isEmptyObject, isJsonObject, type JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { StatusError } from '../../api/errors/status.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { authenticatedUser } from '../../api/contracts/user.ts';
import { tokenIn } from '../../authentication/bearer-token.ts';
import { refusalReason } from '../../authentication/token-refusal.ts';
import type { TokenReviewSpec } from '../../schema/kubernetes/generated/types/authentication-v1.ts';
import { ensureNamespaceMatches } from '../../registry/write/metadata.ts';
import { inTime } from '../request/in-time.ts';
import { operationOf, type VerbHandler } from '../request/resource-request.ts';
import { respondObject } from '../responses/respond.ts';
import { trackOwners } from '../../operations/field-owners.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { decodeReview } from './decode-review.ts';

/** Authenticates a token. `ownAudiences` are this server's. */
export function tokenReview(tokens: Authenticator<PresentedToken>, ownAudiences: readonly string[]): VerbHandler {
  return async (request) => {
    const { context, scope, format } = request;
    const served = scope.resource;
    const { object, fieldManager } = await decodeReview(request);
    ensureNamespaceMatches(object.metadata, '');
    const manager = managerOfRequest(context, fieldManager);
    await trackOwners(operationOf(request), { live: undefined, updated: object, manager });
    // Decoded by the schema of the review.
    const { token = '', audiences = [] } = (object['spec'] ?? {}) as TokenReviewSpec;
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const requested = audiences.length === 0 ? ownAudiences : audiences;
    const reviewed = await inTime(context, review(tokens, { token, audiences: requested }, ownAudiences));
    const created: KubernetesObject = { ...object, status: { ...writtenStatus(object), ...reviewed } };
    await respondObject(context, scope, { code: 201, object: created, format, served });
  };
}

/** What the request says of the user stays until a user is found. */
function writtenStatus({ status }: KubernetesObject): JsonObject {
  if (!isJsonObject(status)) return {};
  const { authenticated: _, ...written } = status;
  return written;
}

/** No longer token fits into the header of a request, as which it is read: it authenticates nobody. */
export const longestToken = 64 << 10;

async function review(
  tokens: Authenticator<PresentedToken>,
  shown: PresentedToken,
  ownAudiences: readonly string[],
): Promise<JsonObject> {
  const token = tokenIn(`Bearer ${shown.token}`).token ?? '';
  if (token === '' || token.length > longestToken) return refused([]);
  try {
    const identity = await tokens.authenticate({ ...shown, token });
    if (identity === undefined) return refused([]);
    // Authenticators unaware of audiences imply the server's own.
    const audiences = identity.audiences ?? shown.audiences.filter((each) => ownAudiences.includes(each));
    return audiences.length === 0 && shown.audiences.length > 0 ? refused([]) : shownUser(identity, audiences);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const reason = refusalReason(error);
    return refused(reason === undefined ? [] : [reason]);
  }
}

/** The general error comes first. */
function refused(reasons: readonly string[]): JsonObject {
  return { error: joinedErrors(['invalid bearer token', ...reasons]) };
}

function shownUser({ user }: Identity, audiences: readonly string[]): JsonObject {
  const { name, uid, groups, extra } = authenticatedUser(user);
  return {
    authenticated: true,
    user: {
      username: name,
      ...(uid === '' ? {} : { uid }),
      groups: [...groups],
      // Never modified, only encoded.
      ...(isEmptyObject(extra as JsonObject) ? {} : { extra: extra as JsonObject }),
    },
    ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
  };
}
