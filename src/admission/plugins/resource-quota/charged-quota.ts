import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../api/values/quantity.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type {
  ResourceQuota,
  ScopedResourceSelectorRequirement,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Amounts, amountsOf } from '../parts/pod-amounts.ts';
import type { DeviceClasses } from './device-classes.ts';
import type { Evaluator, Scopes, UsageContext } from './evaluator.ts';
import { isInScope, requirementsOf } from './scopes.ts';

export type StoredQuota = Readonly<KubernetesObject> & ResourceQuota;

type Quantities = ReadonlyMap<string, Quantity>;

/** What charges do not change. */
interface Terms {
  readonly hard: Quantities;
  readonly hardNames: readonly string[];
  readonly requirements: readonly ScopedResourceSelectorRequirement[];
  /** The limited names under which a kind counts. Those of claims depend on the device classes. */
  readonly counted: Map<Evaluator, { readonly names: readonly string[]; readonly classes: DeviceClasses }>;
}

/** A quota, parsed once for all requests that are charged to it. A charge makes a new one, which shares its terms. */
export class ChargedQuota {
  /** As it was read or written. */
  readonly stored: StoredQuota;
  readonly used: Quantities;
  readonly #terms: Terms;

  private constructor(stored: StoredQuota, used: Quantities, terms: Terms) {
    this.stored = stored;
    this.used = used;
    this.#terms = terms;
  }

  static of(stored: StoredQuota): ChargedQuota {
    const hard = quantitiesOf(amountsOf(stored.status?.hard));
    const requirements = requirementsOf(stored.spec ?? {});
    const terms = { hard, hardNames: [...hard.keys()], requirements, counted: new Map() };
    return new ChargedQuota(stored, quantitiesOf(amountsOf(stored.status?.used)), terms);
  }

  get name(): string {
    return this.stored.metadata.name ?? '';
  }

  get hard(): Quantities {
    return this.#terms.hard;
  }

  get requirements(): readonly ScopedResourceSelectorRequirement[] {
    return this.#terms.requirements;
  }

  countedNames(evaluator: Evaluator, context: Pick<UsageContext, 'isOn' | 'classes'>): readonly string[] {
    const { counted, hardNames } = this.#terms;
    const known = counted.get(evaluator);
    if (known?.classes === context.classes) return known.names;
    const names = hardNames.filter((name) => evaluator.counts(name, context));
    counted.set(evaluator, { names, classes: context.classes });
    return names;
  }

  /** Whether it counts objects in these scopes. */
  selects(scopes: Scopes): boolean {
    return this.#terms.requirements.every((requirement) => isInScope(requirement, scopes));
  }

  /** With these amounts in addition, of what is limited; itself if none is. */
  plus(amounts: Amounts): ChargedQuota {
    let used: Map<string, Quantity> | undefined;
    for (const [name, amount] of amounts) {
      if (!this.hard.has(name)) continue;
      used ??= new Map(this.used);
      const known = used.get(name);
      const added = parseQuantity(amount);
      used.set(name, known === undefined ? added : addQuantities(known, added));
    }
    return used === undefined ? this : new ChargedQuota(this.stored, used, this.#terms);
  }

  /** The resources among `names` of which more is used than is allowed. */
  exceeded(names: Iterable<string>): ReadonlySet<string> {
    const exceeded = new Set<string>();
    for (const name of names) {
      const [limit, used] = [this.hard.get(name), this.used.get(name)];
      if (limit !== undefined && used !== undefined && compareQuantities(used, limit) > 0) exceeded.add(name);
    }
    return exceeded;
  }

  get usedAmounts(): Amounts {
    return amountsFrom(this.used);
  }

  /** To be written. */
  get object(): StoredQuota {
    const { stored } = this;
    return { ...stored, status: { ...stored.status, used: Object.fromEntries(this.usedAmounts) } };
  }
}

function quantitiesOf(amounts: Amounts): Quantities {
  return new Map([...amounts].map(([name, amount]) => [name, parseQuantity(amount)]));
}

function amountsFrom(quantities: Quantities): Amounts {
  return new Map([...quantities].map(([name, quantity]) => [name, formatQuantity(quantity)]));
}
