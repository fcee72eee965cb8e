import type { AdmissionAttributes } from '../../api/admission.ts';
import { compareBytewise } from '../../api/json-text.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { ServiceResolver } from '../../outgoing/service-resolver.ts';
import { callOf, type HookCall } from './hook-rules.ts';
import { type Hook, hooksOf } from './hook.ts';

/**
 * The webhooks of all configurations, in the order of the configurations' names. Which of them match an operation on a
 * resource is found out once, so that a write nobody asks about pays for two lookups.
 */
export class HookTable {
  readonly #resolve: ServiceResolver;
  readonly #byConfiguration = new Map<string, readonly Hook[]>();
  #sorted: readonly Hook[] | undefined;
  /** By the state of the catalogue, then by operation and resource. */
  #calls = new WeakMap<object, Map<string, readonly HookCall[]>>();

  constructor(resolve: ServiceResolver) {
    this.#resolve = resolve;
  }

  set(configuration: KubernetesObject): void {
    const name = configuration.metadata.name ?? '';
    this.#replace(name, hooksOf(configuration, this.#resolve));
  }

  remove(name: string): void {
    this.#replace(name, undefined);
  }

  get isEmpty(): boolean {
    return this.#byConfiguration.size === 0;
  }

  /** Calls for webhooks whose rules match, in order. */
  callsFor(attributes: AdmissionAttributes): readonly HookCall[] {
    const { served, operation, group, version, resource, subresource } = attributes;
    let calls = this.#calls.get(served);
    if (calls === undefined) this.#calls.set(served, (calls = new Map()));
    const key = `${operation} ${group}/${version}/${resource}/${subresource}`;
    let found = calls.get(key);
    if (found === undefined) {
      found = this.#hooks().flatMap((hook) => callOf(hook, attributes) ?? []);
      calls.set(key, found);
    }
    return found;
  }

  #replace(name: string, hooks: readonly Hook[] | undefined): void {
    for (const { client } of this.#byConfiguration.get(name) ?? []) client[Symbol.dispose]();
    if (hooks === undefined) this.#byConfiguration.delete(name);
    else this.#byConfiguration.set(name, hooks);
    this.#sorted = undefined;
    this.#calls = new WeakMap();
  }

  #hooks(): readonly Hook[] {
    this.#sorted ??= [...this.#byConfiguration]
      .toSorted(([a], [b]) => compareBytewise(a, b))
      .flatMap(([, hooks]) => hooks);
    return this.#sorted;
  }
}
