import type { Authenticator, Identity, PresentedToken } from '../../api/authentication.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { StatusError } from '../../api/status.ts';
import { badRequest } from '../../api/status-errors.ts';
import { authenticatedUser } from '../../api/user.ts';
import { refusalReason } from '../../authentication/token-refusal.ts';
import type { TokenReviewSpec } from '../../schema/kubernetes/generated/types/authentication-v1.ts';
import { decodeBody } from '../decode-body.ts';
import { parseWriteOptions } from '../request-options.ts';
import type { VerbHandler } from '../resource-request.ts';
import { respondObject } from '../respond.ts';

/** Tells whose a token is. `ownAudiences`: those of this server. */
export function tokenReview(tokens: Authenticator<PresentedToken>, ownAudiences: readonly string[]): VerbHandler {
  return async (request) => {
    const { context, scope, format } = request;
    const served = scope.resource;
    const { object } = await decodeBody(request, served, () => parseWriteOptions(context.query, 'CreateOptions'));
    // Decoded by the schema of the review.
    const { token = '', audiences = [] } = (object['spec'] ?? {}) as TokenReviewSpec;
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const asked = audiences.length === 0 ? ownAudiences : audiences;
    const answer: KubernetesObject = { ...object, status: await judge(tokens, { token, audiences: asked }) };
    await respondObject(context, scope, { code: 201, object: answer, format, served });
  };
}

async function judge(tokens: Authenticator<PresentedToken>, shown: PresentedToken): Promise<JsonObject> {
  try {
    const identity = await tokens.authenticate(shown);
    return identity === undefined ? refused('invalid bearer token') : told(identity, shown);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return refused(refusalReason(error) ?? 'invalid bearer token');
  }
}

/** Every way to show the token has been tried: none knows it, and this is why. */
function refused(why: string): JsonObject {
  return { user: {}, error: joinedErrors([why]) };
}

function told({ user, audiences }: Identity, shown: PresentedToken): JsonObject {
  const { name, uid, groups, extra } = authenticatedUser(user);
  const shownExtra = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  return {
    authenticated: true,
    user: {
      username: name,
      ...(uid === '' ? {} : { uid }),
      groups: [...groups],
      ...(Object.keys(extra).length === 0 ? {} : { extra: shownExtra }),
    },
    audiences: [...(audiences ?? shown.audiences)],
  };
}
