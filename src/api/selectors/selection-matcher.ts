import { type FieldSelector, matchesFields } from './field-selector.ts';
import { holds, type LabelRequirement, type LabelSelector, matchesLabels } from './label-selector.ts';

type Texts = { readonly [key: string]: string };

/** Selectors with fewer values are matched requirement by requirement. */
const manyValues = 32;

/** A predicate for labels. The cost of a match depends on the labels, not on the length of the selector. */
export function labelMatcher(selector: LabelSelector): (labels: Texts) => boolean {
  if (isShort(selector)) return (labels) => matchesLabels(selector, labels);
  const keyRequirements = new Map<string, KeyRequirement>();
  for (const requirement of selector) {
    const { key } = requirement;
    let keyRequirement = keyRequirements.get(key);
    if (keyRequirement === undefined) keyRequirements.set(key, (keyRequirement = new KeyRequirement()));
    keyRequirement.add(requirement);
  }
  const present = [...keyRequirements.values()].filter(({ isPresent }) => isPresent).length;
  return (labels) => matchesRequirements(keyRequirements, present, labels);
}

function isShort(selector: LabelSelector): boolean {
  let count = 0;
  for (const { values } of selector) {
    count += 1 + values.length;
    if (count > manyValues) return false;
  }
  return true;
}

function matchesRequirements(
  keyRequirements: ReadonlyMap<string, KeyRequirement>,
  present: number,
  labels: Texts,
): boolean {
  let found = 0;
  for (const key of Object.keys(labels)) {
    const keyRequirement = keyRequirements.get(key);
    if (keyRequirement === undefined) continue;
    if (!keyRequirement.allows(labels[key] ?? '')) return false;
    if (keyRequirement.isPresent) found += 1;
  }
  return found === present;
}

/** The combined requirements on one label. */
class KeyRequirement {
  /** The label must exist. */
  isPresent = false;
  #isAbsent = false;
  #allowed: ReadonlySet<string> | undefined;
  readonly #refused = new Set<string>();
  readonly #limits = new Map<string, LabelRequirement>();

  add(requirement: LabelRequirement): void {
    const { operator, values } = requirement;
    if (operator === '!') this.#isAbsent = true;
    else if (operator === '!=' || operator === 'notin') for (const value of values) this.#refused.add(value);
    else this.isPresent = true;
    if (operator === '=' || operator === '==' || operator === 'in') this.#allow(values);
    if (operator === '>' || operator === '<') this.#limit(requirement);
  }

  #allow(values: readonly string[]): void {
    const before = this.#allowed;
    this.#allowed = new Set(before === undefined ? values : values.filter((value) => before.has(value)));
  }

  /** Keeps the strictest limit in each direction. */
  #limit(requirement: LabelRequirement): void {
    const { operator, values } = requirement;
    const [value = '0'] = values;
    const before = this.#limits.get(operator);
    if (before === undefined || holds(before, value)) this.#limits.set(operator, requirement);
  }

  /** Whether the label may have this value. */
  allows(value: string): boolean {
    if (this.#isAbsent || this.#refused.has(value) || this.#allowed?.has(value) === false) return false;
    for (const limit of this.#limits.values()) if (!holds(limit, value)) return false;
    return true;
  }
}

/** A predicate for fields. The cost of a match depends on the fields, not on the length of the selector. */
export function fieldMatcher(selector: FieldSelector): (fields: Texts) => boolean {
  if (selector.length <= manyValues) return (fields) => matchesFields(selector, fields);
  const keyRequirements = new Map<string, { readonly equal: Set<string>; readonly unequal: Set<string> }>();
  for (const { field, operator, value } of selector) {
    let keyRequirement = keyRequirements.get(field);
    if (keyRequirement === undefined)
      keyRequirements.set(field, (keyRequirement = { equal: new Set(), unequal: new Set() }));
    (operator === '=' ? keyRequirement.equal : keyRequirement.unequal).add(value);
  }
  return (fields) => {
    for (const [field, { equal, unequal }] of keyRequirements) {
      const value = fields[field] ?? '';
      // A field has exactly one value.
      if (unequal.has(value) || equal.size > 1 || (equal.size === 1 && !equal.has(value))) return false;
    }
    return true;
  };
}
