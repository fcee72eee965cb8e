import { goQuote } from '../../api/go/go-quote.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { Subject } from '../../schema/kubernetes/generated/types/rbac-v1.ts';

/** A user by name, or the members of a group. */
export interface SubjectKey {
  readonly kind: 'user' | 'group';
  readonly name: string;
}

/** Undefined for invalid subjects. A service account stands for its user; its namespace defaults to the binding's. */
export function subjectKey(
  { kind, name = '', namespace = '' }: Subject,
  bindingNamespace: string,
): SubjectKey | undefined {
  if (kind === 'User') return { kind: 'user', name };
  if (kind === 'Group') return { kind: 'group', name };
  const home = namespace === '' ? bindingNamespace : namespace;
  if (kind !== 'ServiceAccount' || home === '') return undefined;
  return { kind: 'user', name: `system:serviceaccount:${home}:${name}` };
}

export function matches({ kind, name }: SubjectKey, user: UserInfo): boolean {
  return kind === 'group' ? user.groups.includes(name) : name === user.name;
}

/** A subject as reasons print it. */
export function subjectText({ kind = '', name = '', namespace = '' }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${goQuote(name)}`;
  return `${kind} ${goQuote(`${name}/${namespace === '' ? bindingNamespace : namespace}`)}`;
}
