import type { UserInfo } from '../../api/contracts/user.ts';
import type { PolicyRule } from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type { PolicyBinding, PolicyRole } from './policy-objects.ts';
import { type ResourceQuestion, RuleIndex } from './rule-index.ts';
import { subjectKey } from './subject.ts';

/** The attributes of a check, for a resource or a path. */
export interface PolicyQuestion extends ResourceQuestion {
  readonly isResourceRequest: boolean;
  readonly path: string;
}

/** A role that bindings refer to, whether it exists or not. */
class RoleEntry {
  /** Undefined: the role does not exist. */
  rules: readonly PolicyRule[] | undefined;
  /** Bindings that refer to it. */
  references = 0;
  /** Subjects whose merged index contains its rules. */
  readonly mergedInto = new Set<SubjectGrants>();
  #index: RuleIndex<true> | undefined;

  set(rules: readonly PolicyRule[] | undefined): void {
    this.rules = rules;
    this.#index = undefined;
    for (const grants of this.mergedInto) grants.forget();
    this.mergedInto.clear();
  }

  allows(question: PolicyQuestion): boolean {
    if (this.rules === undefined) return false;
    if (this.#index === undefined) {
      this.#index = new RuleIndex();
      for (const rule of this.rules) this.#index.add(rule, true);
    }
    return ask(this.#index, question) !== undefined;
  }
}

/** A binding with its role. */
export interface BoundRole {
  readonly binding: PolicyBinding;
  readonly role: { readonly rules: readonly PolicyRule[] | undefined };
}

interface BoundEntry extends BoundRole {
  readonly role: RoleEntry;
}

/**
 * Subjects with more bindings than this get a merged index of their own; with fewer, the roles, which subjects share,
 * are asked one by one.
 */
const mergedFrom = 8;

/** Permissions of one subject from the bindings of one scope. */
class SubjectGrants {
  readonly bound = new Map<PolicyBinding, BoundEntry>();
  #merged: RuleIndex<BoundEntry> | undefined;

  add(entry: BoundEntry): void {
    this.bound.set(entry.binding, entry);
    if (this.#merged !== undefined) merge(this.#merged, entry, this);
  }

  delete(binding: PolicyBinding): void {
    this.bound.delete(binding);
    this.forget();
  }

  forget(): void {
    this.#merged = undefined;
  }

  find(question: PolicyQuestion): BoundEntry | undefined {
    if (this.bound.size > mergedFrom) return ask((this.#merged ??= this.#merge()), question);
    for (const entry of this.bound.values()) if (entry.role.allows(question)) return entry;
    return undefined;
  }

  #merge(): RuleIndex<BoundEntry> {
    const merged = new RuleIndex<BoundEntry>();
    for (const entry of this.bound.values()) merge(merged, entry, this);
    return merged;
  }
}

function merge(index: RuleIndex<BoundEntry>, entry: BoundEntry, grants: SubjectGrants): void {
  entry.role.mergedInto.add(grants);
  for (const rule of entry.role.rules ?? []) index.add(rule, entry);
}

function ask<Source>(index: RuleIndex<Source>, question: PolicyQuestion): Source | undefined {
  return question.isResourceRequest ? index.find(question) : index.findPath(question.verb, question.path);
}

/** The bindings of one namespace, or of the cluster. */
class Scope {
  readonly users = new Map<string, SubjectGrants>();
  readonly groups = new Map<string, SubjectGrants>();
  readonly bindings = new Map<string, PolicyBinding>();
}

type Grantee = Pick<UserInfo, 'name' | 'groups'>;

/**
 * Roles and bindings, indexed so that a check takes a few lookups: from the names of the user and its groups to their
 * bindings in the cluster and in the namespace, and from there to the rules.
 */
export class PolicyIndex {
  /** By namespace; ClusterRoleBindings are under the empty one. */
  readonly #scopes = new Map<string, Scope>();
  /** By `namespace/name`; the namespace of ClusterRoles is empty. */
  readonly #roles = new Map<string, RoleEntry>();
  /** Roles that bindings refer to but that do not exist. */
  readonly #missing = new Set<RoleEntry>();

  setRole({ namespace, name, rules }: PolicyRole): void {
    const role = this.#roleAt(`${namespace}/${name}`);
    role.set(rules);
    this.#missing.delete(role);
  }

  deleteRole({ namespace, name }: Omit<PolicyRole, 'rules'>): void {
    const key = `${namespace}/${name}`;
    const role = this.#roles.get(key);
    if (role === undefined) return;
    role.set(undefined);
    if (role.references === 0) this.#roles.delete(key);
    else this.#missing.add(role);
  }

  /** The rules of a role; undefined when it does not exist. */
  rulesOfRole(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(`${namespace}/${name}`)?.rules;
  }

  setBinding(binding: PolicyBinding): void {
    this.deleteBinding(binding);
    const scope = this.#scopes.get(binding.namespace) ?? new Scope();
    this.#scopes.set(binding.namespace, scope);
    scope.bindings.set(binding.name, binding);
    const role = this.#roleAt(roleKey(binding));
    role.references += 1;
    if (role.rules === undefined) this.#missing.add(role);
    for (const { kind, name } of keysOf(binding)) {
      const byName = scope[kind === 'user' ? 'users' : 'groups'];
      const grants = byName.get(name) ?? new SubjectGrants();
      byName.set(name, grants);
      grants.add({ binding, role });
    }
  }

  deleteBinding({ namespace, name }: Pick<PolicyBinding, 'namespace' | 'name'>): void {
    const scope = this.#scopes.get(namespace);
    const binding = scope?.bindings.get(name);
    if (scope === undefined || binding === undefined) return;
    scope.bindings.delete(name);
    for (const key of keysOf(binding)) {
      const byName = scope[key.kind === 'user' ? 'users' : 'groups'];
      const grants = byName.get(key.name);
      grants?.delete(binding);
      if (grants?.bound.size === 0) byName.delete(key.name);
    }
    if (scope.bindings.size === 0) this.#scopes.delete(namespace);
    this.#release(roleKey(binding));
  }

  /** The binding that grants the permission. */
  find(user: UserInfo, namespace: string, question: PolicyQuestion): BoundRole | undefined {
    const cluster = findIn(this.#scopes.get(''), user, question);
    return cluster ?? (namespace === '' ? undefined : findIn(this.#scopes.get(namespace), user, question));
  }

  /** Bindings of the user whose role does not exist. */
  missingFor(user: UserInfo, namespace: string): readonly PolicyBinding[] {
    if (this.#missing.size === 0) return [];
    const bound = this.boundTo(user, namespace);
    return [...bound].flatMap(({ role, binding }) => (role.rules === undefined ? binding : []));
  }

  /** All bindings of the user in that scope, without duplicates. */
  boundTo(user: UserInfo, namespace: string): ReadonlySet<BoundRole> {
    const found = new Map<PolicyBinding, BoundRole>();
    for (const place of namespace === '' ? [''] : ['', namespace]) {
      const scope = this.#scopes.get(place);
      if (scope === undefined) continue;
      for (const grants of [scope.users.get(user.name), ...user.groups.map((group) => scope.groups.get(group))]) {
        for (const [binding, entry] of grants?.bound ?? []) found.set(binding, entry);
      }
    }
    return new Set(found.values());
  }

  #roleAt(key: string): RoleEntry {
    const known = this.#roles.get(key);
    if (known !== undefined) return known;
    const entry = new RoleEntry();
    this.#roles.set(key, entry);
    return entry;
  }

  #release(key: string): void {
    const role = this.#roles.get(key);
    if (role === undefined) return;
    role.references -= 1;
    if (role.references > 0 || role.rules !== undefined) return;
    this.#roles.delete(key);
    this.#missing.delete(role);
  }
}

/** A ClusterRoleBinding cannot refer to a Role; no namespace has this name. */
const nowhere = '(nowhere)';

function roleKey({ namespace, role: { kind, name = '' } }: PolicyBinding): string {
  if (kind === 'ClusterRole') return `/${name}`;
  return `${kind === 'Role' && namespace !== '' ? namespace : nowhere}/${name}`;
}

function keysOf({ subjects, namespace }: PolicyBinding) {
  return subjects.flatMap((subject) => subjectKey(subject, namespace) ?? []);
}

function findIn(scope: Scope | undefined, { name, groups }: Grantee, question: PolicyQuestion): BoundRole | undefined {
  if (scope === undefined) return undefined;
  const byName = scope.users.get(name)?.find(question);
  if (byName !== undefined) return byName;
  for (const group of groups) {
    const byGroup = scope.groups.get(group)?.find(question);
    if (byGroup !== undefined) return byGroup;
  }
  return undefined;
}
