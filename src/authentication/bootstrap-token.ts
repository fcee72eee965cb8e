import type { Authenticator, PresentedToken } from '../api/contracts/authentication.ts';
import type { Clock } from '../api/time/clock.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { StoredObjects } from '../api/contracts/stored-objects.ts';
import { bootstrapSecretType, bootstrapTokenLeftMs, secretText } from './bootstrap-secret.ts';
import { equalSecrets } from './equal-secrets.ts';

const secrets = { group: '', version: 'v1', plural: 'secrets' };
const defaultGroup = 'system:bootstrappers';

/** Authenticates by bootstrap tokens in secrets of `kube-system` (specification, "Bootstrap token"). */
export function bootstrapTokenAuthenticator(stored: StoredObjects, clock: Clock): Authenticator<PresentedToken> {
  return {
    async authenticate({ token }) {
      const [, id = '', secret = ''] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
      if (id === '' || token.endsWith('\n')) return undefined;
      const kept = await stored.get(secrets, { namespace: 'kube-system', name: `bootstrap-token-${id}` });
      if (kept === undefined) return undefined;
      const groups = holds(kept, { id, secret }, clock.now()) ? groupsOf(kept) : undefined;
      return groups && { user: { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} } };
    },
  };
}

function holds(
  kept: Readonly<KubernetesObject>,
  { id, secret }: { readonly id: string; readonly secret: string },
  nowMs: number,
): boolean {
  return (
    kept.metadata.deletionTimestamp === undefined &&
    kept['type'] === bootstrapSecretType &&
    equalSecrets(secretText(kept, 'token-secret'), secret) &&
    secretText(kept, 'token-id') === id &&
    bootstrapTokenLeftMs(kept, nowMs) > 0 &&
    secretText(kept, 'usage-bootstrap-authentication') === 'true'
  );
}

/** Undefined when it contains a group that such users may not have. */
function groupsOf(kept: Readonly<KubernetesObject>): readonly string[] | undefined {
  const more = secretText(kept, 'auth-extra-groups');
  const named = more === '' ? [] : more.split(',');
  if (!named.every((group) => /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/.test(group))) return undefined;
  return [...new Set([defaultGroup, ...named])].toSorted();
}
