import { withoutEnd } from '../../api/text/text-edges.ts';
import type { PolicyRule } from '../../schema/kubernetes/generated/types/rbac-v1.ts';

/** A check on a resource. */
export interface ResourceQuestion {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Undefined: all objects, which rules with resourceNames never grant. */
  readonly name: string | undefined;
}

/** Sources of a permission: for a whole resource, or for single objects. */
interface Grant<Source> {
  all: Source | undefined;
  names: Map<string, Source> | undefined;
}

/** Exact paths and path prefixes. */
interface Paths<Source> {
  readonly exact: Map<string, Source>;
  readonly prefixes: Map<string, Source>;
  readonly prefixLengths: Set<number>;
}

const any = '*';
/** Laid out in an index. A rule of a few names may stand for any number of combinations. */
const mostCombinations = 20_000;

/**
 * An index of rules, so that a check takes a few lookups for ordinarily many rules. Every rule has a source, which a
 * lookup returns. Rules with more combinations than fit are compared one by one.
 *
 *     verbs: [get, list], apiGroups: [apps], resources: [deployments], resourceNames: [a]
 *
 *     get  -> apps -> deployments -> a -> source
 *     list -> apps -> deployments -> a -> source
 */
export class RuleIndex<Source> {
  readonly #resources = new Map<string, Map<string, Map<string, Grant<Source>>>>();
  readonly #paths = new Map<string, Paths<Source>>();
  /** What does not fit. */
  readonly #others: { readonly rule: PolicyRule; readonly source: Source }[] = [];
  #combinations = 0;

  /** Number of rules that a check is compared with one by one. */
  get compared(): number {
    return this.#others.length;
  }

  add(rule: PolicyRule, source: Source): void {
    const combinations = combinationsOf(rule);
    if (this.#combinations + combinations > mostCombinations) {
      this.#others.push({ rule, source });
      return;
    }
    this.#combinations += combinations;
    const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    for (const verb of verbs) {
      if (resources.length > 0) {
        const groups = entryOf(this.#resources, verb, newMap<string, Map<string, Grant<Source>>>);
        for (const group of apiGroups)
          addResources(entryOf(groups, group, newMap<string, Grant<Source>>), { resources, resourceNames }, source);
      }
      if (nonResourceURLs.length > 0) addPaths(entryOf(this.#paths, verb, newPaths<Source>), nonResourceURLs, source);
    }
  }

  /** The source that grants it; a wildcard in the request is covered by the same wildcard only. */
  find(question: ResourceQuestion): Source | undefined {
    return (
      this.#findByVerb(this.#resources.get(question.verb), question) ??
      this.#findByVerb(this.#resources.get(any), question) ??
      this.#others.find(({ rule }) => allowsResource(rule, question))?.source
    );
  }

  findPath(verb: string, path: string): Source | undefined {
    return (
      findPath(this.#paths.get(verb), path) ??
      findPath(this.#paths.get(any), path) ??
      this.#others.find(({ rule }) => allowsPath(rule, verb, path))?.source
    );
  }

  #findByVerb(
    groups: Map<string, Map<string, Grant<Source>>> | undefined,
    question: ResourceQuestion,
  ): Source | undefined {
    if (groups === undefined) return undefined;
    return findResource(groups.get(question.group), question) ?? findResource(groups.get(any), question);
  }
}

/** Number of single permissions that a rule stands for. */
export function combinationsOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): number {
  const things = apiGroups.length * resources.length * Math.max(1, resourceNames.length);
  return verbs.length * (things + nonResourceURLs.length);
}

function allowsResource(
  { verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule,
  { verb, group, resource, subresource, name }: ResourceQuestion,
): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    includes(verbs, verb) &&
    includes(apiGroups, group) &&
    (includes(resources, combined) || (subresource !== '' && resources.includes(`*/${subresource}`))) &&
    (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)))
  );
}

function allowsPath({ verbs = [], nonResourceURLs = [] }: PolicyRule, verb: string, path: string): boolean {
  const matches = (allowed: string): boolean =>
    allowed === path || (allowed.endsWith(any) && path.startsWith(withoutEnd(allowed, any)));
  return includes(verbs, verb) && nonResourceURLs.some(matches);
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes(any);
}

function newMap<K, V>(): Map<K, V> {
  return new Map<K, V>();
}

function newPaths<Source>(): Paths<Source> {
  return { exact: new Map(), prefixes: new Map(), prefixLengths: new Set() };
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function addResources<Source>(
  grants: Map<string, Grant<Source>>,
  { resources, resourceNames }: { readonly resources: readonly string[]; readonly resourceNames: readonly string[] },
  source: Source,
): void {
  for (const resource of resources) {
    const grant = entryOf(grants, resource, () => ({ all: undefined, names: undefined }) as Grant<Source>);
    if (resourceNames.length === 0) grant.all ??= source;
    for (const name of resourceNames) {
      grant.names ??= new Map();
      entryOf(grant.names, name, () => source);
    }
  }
}

function findResource<Source>(
  grants: Map<string, Grant<Source>> | undefined,
  { resource, subresource, name }: ResourceQuestion,
): Source | undefined {
  if (grants === undefined) return undefined;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    allowed(grants.get(combined), name) ??
    allowed(grants.get(any), name) ??
    (subresource === '' ? undefined : allowed(grants.get(`*/${subresource}`), name))
  );
}

function allowed<Source>(grant: Grant<Source> | undefined, name: string | undefined): Source | undefined {
  return grant?.all ?? (name === undefined ? undefined : grant?.names?.get(name));
}

function addPaths<Source>(
  { exact, prefixes, prefixLengths }: Paths<Source>,
  paths: readonly string[],
  source: Source,
): void {
  for (const path of paths) {
    entryOf(exact, path, () => source);
    if (!path.endsWith(any)) continue;
    const prefix = withoutEnd(path, any);
    entryOf(prefixes, prefix, () => source);
    prefixLengths.add(prefix.length);
  }
}

function findPath<Source>(paths: Paths<Source> | undefined, path: string): Source | undefined {
  const found = paths?.exact.get(path);
  if (paths === undefined || found !== undefined) return found;
  for (const length of paths.prefixLengths) {
    const byPrefix = length > path.length ? undefined : paths.prefixes.get(path.slice(0, length));
    if (byPrefix !== undefined) return byPrefix;
  }
  return undefined;
}
