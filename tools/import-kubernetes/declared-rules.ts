// Rules that API types declare with markers (`+k8s:immutable`), of the types that have no others.
import type { GoField, GoType } from './go-source.ts';
import type { SourcePackage } from './packages.ts';

/** The types, or fields of types, whose rules, and those of the types within them, are imported. */
const roots: readonly string[] = [
  ...['Workload', 'PodGroup'].flatMap((name) => [`scheduling/v1alpha3.${name}`, `scheduling/v1beta1.${name}`]),
  'scheduling/v1alpha3.CompositePodGroup',
  'lifecycle/v1alpha1.Eviction',
  'lifecycle/v1alpha1.EvictionRequest',
  'batch/v1.JobSchedulingConfiguration',
  'resource/v1alpha3.ResourcePoolStatusRequest',
  'core/v1.PersistentVolumeClaimStatus.healthStatus',
  'core/v1.PodStatus.volumeHealth',
];

/** What the only function of this kind checks: that a domain is not one of Kubernetes. */
const unreserved = 'format=unreserved';

/** One field per line: `io.k8s.api.scheduling.v1beta1.GangSchedulingPolicy minCount required minimum=1`. */
export function declaredRulesTable(packages: ReadonlyMap<string, SourcePackage>): string {
  const lines: string[] = [];
  const seen = new Set<string>();
  const queue = [...roots];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { type, definition, only } = typeOf(packages, name);
    if (type?.form !== 'struct') continue;
    for (const field of type.fields) {
      const [json = ''] = (field.tags['json'] ?? '').split(',');
      if (only !== undefined && json !== only) continue;
      queue.push(...namesIn(field.expression));
      const rules = rulesOf(field, packages);
      if (json !== '' && rules.length > 0) lines.push([definition, json, ...rules].join(' '));
    }
  }
  return lines.join('\n');
}

interface NamedType {
  readonly type: GoType | undefined;
  readonly definition: string;
  /** The only field that is meant. */
  readonly only: string | undefined;
}

function typeOf(packages: ReadonlyMap<string, SourcePackage>, name: string): NamedType {
  const [key = '', short = '', only] = name.split('.');
  const found = packages.get(key);
  return { type: found?.types.get(short), definition: `${found?.prefix ?? ''}.${short}`, only };
}

/** Named types of an expression: `[]core/v1.Container`. Those of meta/v1 have no rules. */
function namesIn(expression: string): string[] {
  const names = expression.match(/[\w/]+\.\w+/g) ?? [];
  return names.filter((name) => name.includes('/') && !name.startsWith('meta/'));
}

function rulesOf({ expression, markers }: GoField, packages: ReadonlyMap<string, SourcePackage>): string[] {
  const rules = markers.flatMap((marker) => ruleOf(marker) ?? []);
  const { type } = typeOf(packages, expression.replace(/^\*/, ''));
  if (type?.form === 'named' && type.markers.includes('k8s:enum')) rules.push('enum');
  // As the reference's functions are called: its own first.
  rules.sort((a, b) => Number(b === unreserved) - Number(a === unreserved));
  const isDefaulted = markers.some((marker) => marker.startsWith('default='));
  const all = isDefaulted ? rules.map((rule) => (rule === 'optional' ? 'required' : rule)) : rules;
  return all.length > 0 && expression.startsWith('*') ? ['pointer', ...all] : all;
}

/**
 * The rule that a marker declares. Rules that are only tried out (`alpha`) have no effect. Fields of disabled gates are
 * dropped, so their absence is not a rule.
 */
function ruleOf(marker: string): string | undefined {
  const text = marker.replace(/^k8s:ifEnabled\([^)]*\)=\+/, '').replace(/ #.*$/, '');
  const [, name = '', value] = /^k8s:(\w+)(?:=(.*))?$/.exec(text) ?? [];
  if (name === 'listMapKey') return `key=${value}`;
  if (name === 'customValidation') return unreserved;
  const known =
    'required optional immutable unionMember monotonic minimum maximum maxItems maxLength maxBytes format update';
  if (!known.split(' ').includes(name)) return undefined;
  return value === undefined ? name : `${name}=${value}`;
}
