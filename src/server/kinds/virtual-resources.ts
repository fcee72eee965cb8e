import type { Authenticator, PresentedToken } from '../../api/contracts/authentication.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import type { ConnectParts } from '../../http/connect/connect-handler.ts';
import type { VerbHandler } from '../../http/request/resource-request.ts';
import { accessReview } from '../../http/virtual/access-review.ts';
import { binding } from '../../http/virtual/binding.ts';
import { type Component, componentStatuses } from '../../http/virtual/component-statuses.ts';
import { eviction } from '../../http/virtual/eviction.ts';
import { rulesReview } from '../../http/virtual/rules-review.ts';
import { selfSubjectReview } from '../../http/virtual/self-subject-review.ts';
import { tokenRequest } from '../../http/virtual/token-request.ts';
import { tokenReview } from '../../http/virtual/token-review.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';

/** Dependencies of virtual resources. */
export interface VirtualParts {
  readonly scopes: ResourceScopes;
  /** Authenticates bearer tokens. */
  readonly tokens: Authenticator<PresentedToken>;
  readonly authorizer: Authorizer;
  /** Keys and issuers of service account tokens. */
  readonly accountTokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly components: readonly Component[];
  readonly connecting: ConnectParts;
  /** State of every feature gate. */
  readonly gates: ReadonlyMap<string, boolean>;
}

export interface VirtualResourceRow {
  /** `group/plural` or `group/plural/subresource`; the core group is empty. */
  readonly path: string;
  readonly make: (parts: VirtualParts) => VerbHandler;
}

/** Resources that are operations rather than objects (specification, "Terminology"). */
export const virtualResourceTable: readonly VirtualResourceRow[] = [
  { path: '/bindings', make: bindingBy },
  { path: '/componentstatuses', make: ({ components }) => componentStatuses(components) },
  { path: '/pods/binding', make: bindingBy },
  { path: '/pods/eviction', make: (parts) => eviction(() => storeOf(parts, 'policy', 'poddisruptionbudgets')) },
  {
    path: '/pods/log',
    make:
      ({ connecting }) =>
      async (request) =>
        (await import('../../http/connect/pod-log.ts')).podLog(request, connecting),
  },
  {
    path: '/serviceaccounts/token',
    make: ({ accountTokens, stored, gates }) =>
      tokenRequest({
        tokens: accountTokens,
        stored,
        checksUids: gates.get('TokenRequestServiceAccountUIDValidation') === true,
      }),
  },
  {
    path: 'authentication.k8s.io/tokenreviews',
    make: ({ tokens, accountTokens }) => tokenReview(tokens, accountTokens.audiences),
  },
  { path: 'authentication.k8s.io/selfsubjectreviews', make: () => selfSubjectReview },
  {
    path: 'authorization.k8s.io/localsubjectaccessreviews',
    make: ({ authorizer }) => accessReview(authorizer, 'named'),
  },
  { path: 'authorization.k8s.io/selfsubjectaccessreviews', make: ({ authorizer }) => accessReview(authorizer, 'self') },
  { path: 'authorization.k8s.io/selfsubjectrulesreviews', make: ({ authorizer }) => rulesReview(authorizer) },
  { path: 'authorization.k8s.io/subjectaccessreviews', make: ({ authorizer }) => accessReview(authorizer, 'named') },
];

/** Handlers by path. */
export function virtualResources(
  table: readonly VirtualResourceRow[],
  parts: VirtualParts,
): ReadonlyMap<string, VerbHandler> {
  return new Map(table.map(({ path, make }) => [path, make(parts)]));
}

function bindingBy(parts: VirtualParts): VerbHandler {
  return binding({
    pods: () => scopeOf(parts, '', 'pods'),
    endsNomination: parts.gates.get('ClearingNominatedNodeNameAfterBinding') === true,
  });
}

function scopeOf({ scopes }: VirtualParts, group: string, plural: string): ResourceScope {
  const scope = scopes.now.scopeOf(group, 'v1', plural);
  if (scope === undefined) throw new Error(`${plural} are not served`);
  return scope;
}

function storeOf(parts: VirtualParts, group: string, plural: string): StoreKind {
  const { store } = scopeOf(parts, group, plural);
  if (store === undefined) throw new Error(`${plural} are not stored`);
  return store;
}
