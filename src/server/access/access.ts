import { readAdmissionConfiguration } from '../../admission/configuration/admission-configuration.ts';
import type { PluginRow } from '../../admission/plugin-table.ts';
import type { Admission } from '../../api/contracts/admission.ts';
import type { Authenticator, PresentedToken } from '../../api/contracts/authentication.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { Client } from '../../api/client/client.ts';
import { AdmittedUsages } from '../../admission/plugins/resource-quota/admitted-usages.ts';
import { DelayedWrites } from '../../api/scheduling/delayed-writes.ts';
import { cloneObject } from '../../api/meta/object.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { Turns } from '../../api/scheduling/turns.ts';
import { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import type { AuthenticatorContext } from '../../authentication/authenticator-context.ts';
import type { SharedTokens } from '../../authentication/shared-tokens.ts';
import { makeAuthenticators } from '../../authentication/authenticator-table.ts';
import { isPublicPath } from '../../authorization/public-paths.ts';
import type { EscalationGuard } from '../../registry/kinds/escalation-guard.ts';
import { makeAuthorizer } from '../../authorization/authorizer-table.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import type { ServerConfig } from '../config.ts';
import { anyAddress, routedServices } from '../../outgoing/service-resolver.ts';
import { manifestObject } from '../kinds/manifest-object.ts';
import { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { escalationGuard, followedPolicy, accessClient } from './rbac-parts.ts';
import { serverId } from '../server-id.ts';
import { pkiFolder } from '../listening/serving.ts';
import type { Wiring } from '../wiring.ts';
import type { Store } from '../store/store.ts';
import { externalSigner } from './external-signer.ts';
import { builtInAdmission } from './built-in-admission.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { CachedObjects } from '../../scopes/cached-objects.ts';

/** Behind another server, its namespaces are namespaces of this one. */
async function admissionObjects(
  stored: StoredObjects,
  { delegation }: ServerConfig,
  context: PartContext,
): Promise<StoredObjects> {
  const kubeconfig = delegation.authorizationKubeconfig ?? delegation.authenticationKubeconfig;
  if (kubeconfig === undefined) return stored;
  const { hostNamespaces } = await import('./host-namespaces.ts');
  return hostNamespaces(stored, kubeconfig, context);
}

export interface Access {
  readonly authenticator: Authenticator;
  readonly tokens: Authenticator<PresentedToken>;
  readonly authorizer: Authorizer;
  readonly admission: Admission;
  readonly accountTokens: AccountTokens;
  readonly stored: CachedObjects;
  readonly escalation: EscalationGuard;
}

interface AccessOptions {
  readonly context: PartContext;
  readonly scopes: ResourceScopes;
  readonly plugins: readonly PluginRow[];
  readonly store: Store;
  readonly delayed: DelayedWrites;
  readonly admitted: AdmittedUsages;
  readonly ownAuthority: string;
  readonly sharedTokens: SharedTokens | undefined;
  readonly client: () => Client;
  readonly othersWrite: (() => boolean) | undefined;
  readonly turns: Turns | undefined;
}

/** Makes authentication, authorization and admission. */
export async function makeAccess(
  config: ServerConfig,
  { tokenAuthenticators, authenticators, authorizers }: Wiring,
  {
    context,
    scopes,
    plugins,
    store,
    delayed,
    admitted,
    ownAuthority,
    sharedTokens,
    client,
    othersWrite,
    turns,
  }: AccessOptions,
): Promise<Access> {
  const stored = new CachedObjects(scopes);
  const reader = accessClient(scopes, context);
  const policy = followedPolicy(reader, context);
  const featureGates = gatesByConfig(config.api);
  const accountTokens = new AccountTokens({
    config: config.authentication.serviceAccounts,
    external: await externalSigner(config, context),
    folder: pkiFolder(config),
    readFile: context.readFile,
    bindsWebhooks: featureGates.get('APIServerWebhookAuthenticationToken') === true,
  });
  const own = { ...context, serverId: serverId() };
  const [{ requests: authenticator, tokens }, authorizer] = await Promise.all([
    makeAuthenticators(
      { tokens: tokenAuthenticators, requests: authenticators },
      { ...own, ...authenticationBy(config), ownAuthority, stored, accountTokens, sharedTokens, client },
    ),
    makeAuthorizer(authorizers, {
      ...own,
      config: config.authorization,
      stored,
      policy,
      client: reader,
      featureGates,
    }),
    accountTokens.readNamedKeys(),
  ]);
  const admission = await builtInAdmission(plugins, {
    ...own,
    stored: await admissionObjects(stored, config, context),
    tenure: {
      isShared: () => store.isShared || othersWrite?.() === true,
      wasCutOff: store.wasCutOff,
      turn: (key) => (othersWrite?.() === true ? turns?.take(key) : undefined),
    },
    delayed,
    admitted,
    reader,
    authorizer,
    client,
    featureGates,
    release: config.api.emulatedVersion,
    tolerationSeconds: config.admission.tolerationSeconds,
    configurationOf: await readAdmissionConfiguration(config.admission.configFile, context),
    resourceOfKind: (kind) => scopes.now.scopeOfKind(kind)?.resource,
    services: anyAddress(routedServices(reader, config.aggregation)),
    manifestObject: (document) => manifestObject(scopes, context.clock, document),
    inVersion: (kind, object) => scopes.now.scopeOfKind(kind)?.conversion.fromStored(cloneObject(object)),
  });
  const escalation = escalationGuard(policy, stored);
  return { authenticator, tokens, authorizer, admission, accountTokens, stored, escalation };
}

/** Where everything is allowed, users must be known: only what anybody may read is open to others. */
function authenticationBy({
  authentication: config,
  authorization: { configFile, modes },
}: ServerConfig): Pick<AuthenticatorContext, 'config' | 'anonymousPaths'> {
  const allowsAll = configFile === undefined && modes.includes('AlwaysAllow');
  return allowsAll ? { config, anonymousPaths: isPublicPath } : { config };
}
