import type { Client } from '../../api/client.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { Mirror, type ObjectName } from '../../api/mirror.ts';
import { PolicyIndex } from './policy-index.ts';
import { bindingOf, roleOf } from './policy-objects.ts';

export interface RbacPolicyOptions {
  readonly client: Client;
  readonly onError: (error: unknown) => void;
}

/** What the objects of a resource mean to the index. */
interface Reader {
  readonly resource: string;
  readonly set: (index: PolicyIndex, object: KubernetesObject) => void;
  readonly remove: (index: PolicyIndex, name: ObjectName) => void;
}

const ofRoles: Omit<Reader, 'resource'> = {
  set: (index, object) => index.setRole(roleOf(object)),
  remove: (index, name) => index.deleteRole(name),
};

const ofBindings: Omit<Reader, 'resource'> = {
  set: (index, object) => index.setBinding(bindingOf(object)),
  remove: (index, name) => index.deleteBinding(name),
};

const readers: readonly Reader[] = [
  { resource: 'clusterroles', ...ofRoles },
  { resource: 'roles', ...ofRoles },
  { resource: 'clusterrolebindings', ...ofBindings },
  { resource: 'rolebindings', ...ofBindings },
];

/** The roles and bindings of a server as they are now; read when they are first asked for, and followed from then on. */
export class RbacPolicy implements Disposable {
  readonly #options: RbacPolicyOptions;
  readonly #stop = new AbortController();
  #ready: Promise<PolicyIndex> | undefined;
  #index: PolicyIndex | undefined;

  constructor(options: RbacPolicyOptions) {
    this.#options = options;
  }

  /** Undefined before all has been read. */
  get index(): PolicyIndex | undefined {
    return this.#index;
  }

  /** Rejects when the objects cannot be read; the next caller tries again. */
  ready(): Promise<PolicyIndex> {
    this.#ready ??= this.#start().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #start(): Promise<PolicyIndex> {
    const index = new PolicyIndex();
    const { client, onError } = this.#options;
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, attempt.signal]);
    try {
      await Promise.all(
        readers.map(({ resource, set, remove }) =>
          new Mirror({
            client,
            collection: { group: 'rbac.authorization.k8s.io', version: 'v1', resource, namespace: '' },
            set: (object) => set(index, object),
            remove: (name) => remove(index, name),
            onError,
            signal,
          }).start(),
        ),
      );
    } catch (error) {
      attempt.abort();
      throw error;
    }
    this.#index = index;
    return index;
  }
}
