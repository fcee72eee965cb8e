import type { Random } from '../random-objects/repeatable-random.ts';

/** A request, whatever is answered, or a pause, which lets controllers see the state between. */
export type Step =
  | { readonly method: 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: unknown }
  | { readonly pauseMs: number };

/** What a seed does in a namespace of its own, and what is read when controllers have done their work. */
export interface Deeds {
  readonly steps: readonly Step[];
  readonly reads: readonly string[];
}

/** Random deeds that concern some controllers. */
export interface Subject {
  readonly name: string;
  /** What all seeds share. */
  readonly setUp: readonly Step[];
  readonly deeds: (random: Random, space: string) => Deeds;
  /** How long kube-controller-manager may rest before it goes on; absent: seconds. */
  readonly restMs?: number;
}

export const inSpace = (space: string, rest: string): string => `/api/v1/namespaces/${space}/${rest}`;
export const post = (path: string, body: unknown): Step => ({ method: 'POST', path, body });
export const patch = (path: string, body: unknown): Step => ({ method: 'PATCH', path, body });
export const remove = (path: string, body?: unknown): Step => ({
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
});
export const makeSpace = (name: string, metadata: object = {}): Step =>
  post('/api/v1/namespaces', { metadata: { name, ...metadata } });

const uidMark = 'uid of ';

/** Stands for the uid that the object at this path has by then. */
export const uidOf = (path: string): string => uidMark + path;

/** The path of an object whose uid a text stands for. */
export function pathOfUid(text: string): string | undefined {
  return text.startsWith(uidMark) ? text.slice(uidMark.length) : undefined;
}
