import { type Policy, privilegedPolicy } from './policy.ts';

/** What counts where a namespace says nothing, and whom it does not concern. */
export interface PodSecuritySettings {
  readonly defaults: Policy;
  readonly exempt: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

export const usualSettings: PodSecuritySettings = {
  defaults: privilegedPolicy,
  exempt: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set() },
};
