import type { AdmissionAttributes, ServedVersion } from '../../api/contracts/admission.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { matchedByRules } from '../matching/match-criteria.ts';
import { MatchIndex } from '../matching/match-index.ts';
import { isReview } from '../matching/review-resources.ts';
import { bindingOf, type Policy, type PolicyBinding, policyOf } from './policy.ts';

/** A policy that may match a kind of request, with those of its bindings that may. */
export interface Candidate<Compiled> {
  readonly policy: Policy<Compiled>;
  /** In which its expressions see the objects, unless names matter. */
  readonly version: ServedVersion;
  readonly bindings: readonly PolicyBinding[];
}

/** Policies with their bindings, in the order of their names, by what they match. A policy without bindings is idle. */
export class PolicyTable<Compiled> {
  readonly #compile: (policy: KubernetesObject) => Promise<Compiled>;
  readonly #policies = new Map<string, Policy<Compiled>>();
  readonly #bindings = new Map<string, PolicyBinding>();
  readonly #candidates = new MatchIndex((attributes): readonly Candidate<Compiled>[] =>
    isReview(attributes) ? [] : this.#active().flatMap((each) => candidateOf(each, attributes)),
  );
  #sorted: readonly Active<Compiled>[] | undefined;

  constructor(compile: (policy: KubernetesObject) => Promise<Compiled>) {
    this.#compile = compile;
  }

  setPolicy(object: KubernetesObject): void {
    const policy = policyOf(object, this.#compile);
    this.#policies.set(policy.name, policy);
    this.#changed(policy.name);
  }

  removePolicy(name: string): void {
    this.#policies.delete(name);
    this.#changed(name);
  }

  setBinding(object: KubernetesObject): void {
    const binding = bindingOf(object);
    this.#bindings.set(binding.name, binding);
    this.#changed(binding.policyName);
  }

  removeBinding(name: string): void {
    this.#bindings.delete(name);
    this.#changed(undefined);
  }

  get isEmpty(): boolean {
    return this.#policies.size === 0 || this.#bindings.size === 0;
  }

  candidatesFor(attributes: AdmissionAttributes): readonly Candidate<Compiled>[] {
    return this.#candidates.get(attributes);
  }

  #changed(policyName: string | undefined): void {
    this.#sorted = undefined;
    this.#candidates.clear();
    const policy = policyName === undefined ? undefined : this.#policies.get(policyName);
    const isBound = [...this.#bindings.values()].some((binding) => binding.policyName === policyName);
    // The first matching write need not wait; it also reports failures.
    if (isBound) Promise.resolve(policy?.compiled()).catch(() => undefined);
  }

  #active(): readonly Active<Compiled>[] {
    if (this.#sorted !== undefined) return this.#sorted;
    const byPolicy = Map.groupBy(sorted(this.#bindings), ({ policyName }) => policyName);
    this.#sorted = sorted(this.#policies).flatMap((policy) => {
      const bindings = byPolicy.get(policy.name);
      return bindings === undefined ? [] : { policy, bindings };
    });
    return this.#sorted;
  }
}

type Active<Compiled> = Pick<Candidate<Compiled>, 'policy' | 'bindings'>;

function sorted<T>(byName: ReadonlyMap<string, T>): readonly T[] {
  return [...byName].toSorted(([a], [b]) => compareBytewise(a, b)).map(([, each]) => each);
}

function candidateOf<Compiled>(
  { policy, bindings }: Active<Compiled>,
  attributes: AdmissionAttributes,
): readonly Candidate<Compiled>[] {
  const version = matchedByRules(policy.criteria.anyName, attributes);
  if (version === undefined) return [];
  const matching = bindings.filter(
    ({ criteria }) => criteria === undefined || matchedByRules(criteria.anyName, attributes) !== undefined,
  );
  return [{ policy, version, bindings: matching }];
}
