import type { Authenticator, Identity, PresentedToken } from '../api/contracts/authentication.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
import { CallError } from '../outgoing/call-error.ts';
import { withRetries } from '../outgoing/retries.ts';
import { openReviewWebhook, type ReviewWebhook } from '../outgoing/webhooks/review-webhook.ts';
import type { AuthenticatorContext } from './authenticator-context.ts';
import { cachedTokens } from './token-cache.ts';
import { tokenRefusal } from './token-refusal.ts';

const versions: readonly string[] = ['v1', 'v1beta1'];
const group = 'authentication.k8s.io';

/** Authenticates by a webhook that reviews tokens. */
export async function tokenWebhookAuthenticator(context: AuthenticatorContext): Promise<Authenticator<PresentedToken>> {
  const { configFile = '', apiPath, version, cacheMs } = context.config.tokenWebhook;
  if (!versions.includes(version)) {
    const supported = versions.map(goQuote).join(', ');
    throw new ConfigError(
      `unsupported authentication webhook version ${goQuote(version)}, supported versions are ${supported}`,
    );
  }
  const webhook = await openReviewWebhook({
    path: configFile,
    apiPath,
    context,
    egress: context.egress?.controlplane,
  });
  const own = context.config.tokenWebhook.audiences ?? context.accountTokens.audiences;
  const uncached = new WebhookAuthenticator({ webhook, version, own, onError: context.onError });
  const times = { knownMs: cacheMs, unknownMs: cacheMs };
  const { tokenCache: metrics, sharedTokens: shared, clock } = context;
  const cached = cachedTokens(uncached, { metrics, times, name: 'webhook', shared, clock });
  // Without requested audiences, those of this server apply.
  return {
    authenticate: ({ token, audiences }) =>
      cached.authenticate({ token, audiences: audiences.length === 0 ? own : audiences }),
  };
}

interface Asking {
  readonly webhook: ReviewWebhook;
  readonly version: string;
  /** The audiences of this server. */
  readonly own: readonly string[];
  readonly onError: AuthenticatorContext['onError'];
}

class WebhookAuthenticator implements Authenticator<PresentedToken> {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async authenticate({ token, audiences }: PresentedToken): Promise<Identity | undefined> {
    const { own } = this.#asking;
    const status = await this.#ask({
      token,
      ...(audiences.length === 0 ? {} : { audiences: [...audiences] }),
    });
    const received = textsOf(status['audiences']);
    const meant = (received.length > 0 ? received : own).filter((audience) => audiences.includes(audience));
    if (audiences.length > 0 && meant.length === 0) return undefined;
    if (status['authenticated'] === true) {
      return { user: userOf(status['user']), audiences: meant };
    }
    const error = status['error'];
    if (typeof error === 'string' && error !== '') throw tokenRefusal(error);
    return undefined;
  }

  /** The status of the review. Failed calls are rejections. */
  async #ask(spec: JsonObject): Promise<JsonObject> {
    const { webhook, version, onError } = this.#asking;
    const apiVersion = `${group}/${version}`;
    const review = { kind: 'TokenReview', apiVersion, metadata: {}, spec, status: { user: {} } };
    try {
      const form = { kind: { group, version, kind: 'TokenReview' }, knownVersions: versions, knowsBuiltIn: true };
      const { status } = await withRetries(() => webhook.post(review, form));
      return isJsonObject(status) ? status : {};
    } catch (error) {
      if (!(error instanceof CallError || error instanceof StatusError)) throw error;
      onError(error);
      throw tokenRefusal(error.message);
    }
  }
}

function userOf(received: JsonValue | undefined): Identity['user'] {
  const { username = '', uid = '', groups, extra } = isJsonObject(received) ? received : {};
  const more: { [key: string]: string[] } = {};
  if (isJsonObject(extra)) for (const key in extra) setOwn(more, key, textsOf(extra[key]));
  return {
    name: typeof username === 'string' ? username : '',
    uid: typeof uid === 'string' ? uid : '',
    groups: textsOf(groups),
    extra: more,
  };
}

function textsOf(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
