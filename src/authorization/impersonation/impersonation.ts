import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../../api/contracts/authorization.ts';
import { StatusError } from '../../api/errors/status.ts';
import { anonymousUser, type UserInfo } from '../../api/contracts/user.ts';
import { LruMap } from '../../api/collections/lru-map.ts';
import { forbiddenError } from '../../api/contracts/forbidden-request.ts';
import { extraProblem } from './extra-problem.ts';
import type { ImpersonationMetrics } from './impersonation-metrics.ts';
import type { ImpersonationMode } from './modes.ts';
import { accountGroups, accountOfUser, nodeOfUser } from '../../api/contracts/user-names.ts';

/** With at least this many groups or values, a wildcard permission is checked first. */
const manyQuestions = 4;
const rememberedRequesters = 10_000;

interface Attempt {
  readonly mode: ImpersonationMode;
  readonly wanted: UserInfo;
  readonly requester: UserInfo;
}

export interface Impersonated {
  readonly user: UserInfo;
  /** The verb of the constrained mode that allows it; empty: none. */
  readonly constraint: string;
}

/** Decides who may impersonate whom. */
export class Impersonation {
  readonly #authorizer: Authorizer;
  readonly #modes: readonly ImpersonationMode[];
  readonly #metrics: ImpersonationMetrics | undefined;
  /** The mode that last succeeded, by requester: it is tried first. */
  readonly #lastModes = new LruMap<string, ImpersonationMode>(rememberedRequesters);

  constructor(authorizer: Authorizer, modes: readonly ImpersonationMode[], metrics?: ImpersonationMetrics) {
    this.#authorizer = authorizer;
    this.#modes = modes;
    this.#metrics = metrics;
  }

  /** Throws a StatusError (403) of the first mode. */
  async impersonate(request: AuthorizationAttributes, wanted: UserInfo): Promise<Impersonated> {
    const startMs = performance.now();
    try {
      const { mode, user } = await this.#allowed(request, wanted);
      this.#metrics?.attempted({ mode: mode.name, decision: 'allowed' }, startMs);
      return { user, constraint: isConstrained(mode) ? mode.verb : '' };
    } catch (error) {
      this.#metrics?.attempted({ mode: '', decision: 'denied' }, startMs);
      throw error;
    }
  }

  async #allowed(
    request: AuthorizationAttributes,
    wanted: UserInfo,
  ): Promise<{ readonly mode: ImpersonationMode; readonly user: UserInfo }> {
    const requester = request.user;
    const last = this.#lastModes.get(requester.name);
    const modes = last === undefined ? this.#modes : [last, ...this.#modes.filter((mode) => mode !== last)];
    let refusal: StatusError | undefined;
    for (const mode of modes) {
      if (!mode.appliesTo(wanted, requester)) continue;
      try {
        const user = await this.#try({ mode, wanted, requester }, request);
        this.#lastModes.set(requester.name, mode);
        return { mode, user };
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        refusal ??= error;
      }
    }
    throw refusal ?? new Error('no mode of impersonation applies');
  }

  async #try(attempt: Attempt, request: AuthorizationAttributes): Promise<UserInfo> {
    const { mode, wanted } = attempt;
    if (mode.onRequest !== undefined)
      await this.#require(mode, { ...request, verb: `${mode.onRequest}${request.verb}` });
    const groups = await this.#requireName(attempt);
    if (wanted.uid !== '') await this.#require(mode, question(attempt, { resource: 'uids', name: wanted.uid }));
    await this.#requireGroups(attempt);
    await this.#requireExtra(attempt);
    return { ...wanted, groups: withLoginGroup(wanted.name, groups) };
  }

  /** Returns the groups of the impersonated user. */
  async #requireName(attempt: Attempt): Promise<readonly string[]> {
    const { mode, wanted } = attempt;
    const node = isConstrained(mode) ? nodeOfUser(wanted.name) : undefined;
    const account = accountOfUser(wanted.name);
    const requested =
      account !== undefined
        ? { resource: 'serviceaccounts', ...account }
        : node !== undefined
          ? { resource: 'nodes', name: node }
          : { resource: 'users', name: wanted.name };
    await this.#require(mode, question(attempt, { group: ownGroup(mode), ...requested }));
    if (wanted.groups.length > 0) return wanted.groups;
    if (account !== undefined) return accountGroups(account.namespace);
    return node === undefined ? [] : ['system:nodes'];
  }

  async #requireGroups(attempt: Attempt): Promise<void> {
    const { mode, wanted } = attempt;
    const { groups } = wanted;
    const ask = (name: string): AuthorizationAttributes =>
      question(attempt, { group: ownGroup(mode), resource: 'groups', name });
    if (isConstrained(mode)) {
      if (groups.includes('')) throw forbiddenError(ask(''), 'impersonating the empty string group is not allowed');
      if (groups.includes('system:masters'))
        throw forbiddenError(ask('system:masters'), 'impersonating the system:masters group is not allowed');
      if (groups.length >= manyQuestions && (await this.#allows(mode, ask('*')))) return;
    }
    for (const group of groups) await this.#require(mode, ask(group));
  }

  async #requireExtra(attempt: Attempt): Promise<void> {
    const { mode, wanted } = attempt;
    const entries = Object.entries(wanted.extra);
    const ask = (subresource: string, name: string): AuthorizationAttributes =>
      question(attempt, { resource: 'userextras', subresource, name });
    if (isConstrained(mode)) {
      const problem = extraProblem(wanted.extra);
      if (problem !== undefined) throw forbiddenError(ask('', ''), problem);
      const count = entries.reduce((sum, [, values]) => sum + values.length, 0);
      if (count >= manyQuestions && (await this.#allows(mode, ask('*', '*')))) return;
    }
    for (const [key, values] of entries) {
      for (const value of values) await this.#require(mode, ask(key, value));
    }
  }

  async #allows(mode: ImpersonationMode, attributes: AuthorizationAttributes): Promise<boolean> {
    return (await this.#ask(mode, mode.ask?.(attributes) ?? attributes)).decision === 'allow';
  }

  async #require(mode: ImpersonationMode, attributes: AuthorizationAttributes): Promise<void> {
    const requested = mode.ask?.(attributes) ?? attributes;
    const { decision, reason } = await this.#ask(mode, requested);
    if (decision !== 'allow') throw forbiddenError(requested, reason);
  }

  async #ask({ name }: ImpersonationMode, attributes: AuthorizationAttributes): Promise<AuthorizationResult> {
    const startMs = performance.now();
    const result = await this.#authorizer.authorize(attributes);
    const decision = result.decision === 'allow' ? 'allowed' : 'denied';
    this.#metrics?.requested({ mode: name, decision }, startMs);
    return result;
  }
}

function isConstrained({ onRequest }: ImpersonationMode): boolean {
  return onRequest !== undefined;
}

/** API group of the pseudo-resources for names and groups; uids and extra values always use the new one. */
function ownGroup(mode: ImpersonationMode): string {
  return isConstrained(mode) ? authenticationGroup : '';
}

const authenticationGroup = 'authentication.k8s.io';

function question(
  { mode, requester }: Attempt,
  requested: Partial<AuthorizationAttributes> & Pick<AuthorizationAttributes, 'resource' | 'name'>,
): AuthorizationAttributes {
  return {
    user: requester,
    verb: mode.verb,
    isResourceRequest: true,
    path: '',
    group: authenticationGroup,
    version: 'v1',
    subresource: '',
    namespace: '',
    ...requested,
  };
}

/** Users other than the anonymous one are authenticated, unless `system:unauthenticated` is impersonated. */
function withLoginGroup(name: string, groups: readonly string[]): readonly string[] {
  const wantsNone = name === anonymousUser.name || groups.includes('system:unauthenticated');
  const login = wantsNone ? 'system:unauthenticated' : 'system:authenticated';
  return groups.includes(login) ? groups : [...groups, login];
}
