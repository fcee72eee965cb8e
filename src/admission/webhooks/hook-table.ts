import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { MatchIndex } from '../matching/match-index.ts';
import { matchedVersion } from '../matching/resource-rules.ts';
import type { WebhookServers } from '../../outgoing/webhooks/webhook-client.ts';
import { type Hook, type HookCall, hooksOf } from './hook.ts';

/** The webhooks of all configurations, in the order of the configurations' names, by what they match. */
export class HookTable {
  readonly #servers: WebhookServers;
  readonly #uidPrefix: string;
  readonly #byConfiguration = new Map<string, readonly Hook[]>();
  #sorted: readonly Hook[] | undefined;
  readonly #calls = new MatchIndex((attributes): readonly HookCall[] =>
    this.#hooks().flatMap((hook, index) => {
      const version = matchedVersion(hook, attributes);
      return version === undefined ? [] : { hook, index, ...version };
    }),
  );

  /** `uidPrefix` distinguishes webhooks of tables. */
  constructor(servers: WebhookServers, uidPrefix = '') {
    this.#servers = servers;
    this.#uidPrefix = uidPrefix;
  }

  set(configuration: KubernetesObject): void {
    const name = configuration.metadata.name ?? '';
    this.#replace(name, hooksOf(configuration, this.#servers, this.#uidPrefix));
  }

  remove(name: string): void {
    this.#replace(name, undefined);
  }

  /** Number of webhooks. */
  get size(): number {
    return this.#hooks().length;
  }

  /** Replaces all configurations. */
  setAll(configurations: readonly KubernetesObject[]): void {
    const names = new Set(configurations.map(({ metadata }) => metadata.name ?? ''));
    for (const name of Array.from(this.#byConfiguration.keys())) if (!names.has(name)) this.remove(name);
    for (const configuration of configurations) this.set(configuration);
  }

  get isEmpty(): boolean {
    return this.#byConfiguration.size === 0;
  }

  /** Calls for webhooks whose rules match, in order. */
  callsFor(attributes: AdmissionAttributes): readonly HookCall[] {
    return this.#calls.get(attributes);
  }

  #replace(name: string, hooks: readonly Hook[] | undefined): void {
    for (const { client } of this.#byConfiguration.get(name) ?? []) client[Symbol.dispose]();
    if (hooks === undefined) this.#byConfiguration.delete(name);
    else this.#byConfiguration.set(name, hooks);
    this.#sorted = undefined;
    this.#calls.clear();
  }

  #hooks(): readonly Hook[] {
    this.#sorted ??= [...this.#byConfiguration]
      .toSorted(([a], [b]) => compareBytewise(a, b))
      .flatMap(([, hooks]) => hooks);
    return this.#sorted;
  }
}
