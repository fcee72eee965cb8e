import type { ServedVersion } from '../../api/contracts/admission.ts';
import { selectorOfObject } from '../../api/selectors/label-selector-object.ts';
import type {
  MatchResources,
  NamedRuleWithOperations,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { matchedVersion, type MatchedAttributes, requestedVersion, type ResourceRules } from './resource-rules.ts';
import type { Selectors } from './selectors.ts';

/** The MatchResources of a policy or binding, compiled. */
export interface MatchCriteria extends Selectors {
  readonly included: ResourceRules;
  readonly excluded: ResourceRules;
  /** The criteria without names: matches a superset. */
  readonly anyName: Pick<MatchCriteria, 'included' | 'excluded'>;
  /** Rules name objects. */
  readonly namesMatter: boolean;
}

export function matchCriteria(resources: MatchResources): MatchCriteria {
  const { resourceRules: rules = [], excludeResourceRules: exceptions = [] } = resources;
  const matchesEquivalent = resources.matchPolicy === 'Equivalent';
  const included = { rules, matchesEquivalent };
  const excluded = { rules: exceptions, matchesEquivalent };
  const namesMatter = [...rules, ...exceptions].some(namesObjects);
  const anyName = {
    included: { ...included, rules: rules.map((rule) => ({ ...rule, resourceNames: [] })) },
    excluded: { ...excluded, rules: exceptions.filter((rule) => !namesObjects(rule)) },
  };
  return {
    included,
    excluded,
    anyName: namesMatter
      ? anyName
      : {
          included,
          excluded,
        },
    namesMatter,
    namespaceSelector: selectorOfObject(resources.namespaceSelector as object) ?? [],
    objectSelector: selectorOfObject(resources.objectSelector as object) ?? [],
  };
}

function namesObjects({ resourceNames = [] }: NamedRuleWithOperations): boolean {
  return resourceNames.length > 0;
}

/** The version in which the rules match; undefined when they do not. No rules at all match everything. */
export function matchedByRules(
  { included, excluded }: Pick<MatchCriteria, 'included' | 'excluded'>,
  attributes: MatchedAttributes,
): ServedVersion | undefined {
  if (matchedVersion(excluded, attributes) !== undefined) return undefined;
  return included.rules.length === 0 ? requestedVersion(attributes) : matchedVersion(included, attributes);
}

/** The version in which the rules match, where an index knows it for the case that names do not count. */
export function matchedByName(
  criteria: MatchCriteria,
  known: ServedVersion,
  attributes: MatchedAttributes,
): ServedVersion | undefined {
  return criteria.namesMatter ? matchedByRules(criteria, attributes) : known;
}
