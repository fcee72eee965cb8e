// Converts the release's list of feature gates to rows: name, then stage, default and lock by version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const stageLetters: { readonly [stage: string]: string } = { Alpha: 'a', Beta: 'b', GA: 'g', Deprecated: 'd' };

/**
 * The whole table: `Name 1.30at 1.32bt 1.34gT`, one gate per line (grammar: src/schema/kubernetes/feature-gates.ts).
 */
export function featureGatesTable(kubernetesDir: string, clientDir: string): string {
  const specs = new Map([...listedGates(kubernetesDir), ...clientGates(clientDir)]);
  const needs = readDependencies(kubernetesDir);
  const unknown = [...needs].flat(2).find((name) => !specs.has(name));
  if (unknown !== undefined) throw new Error(`feature gate ${unknown} takes part in a dependency, but is not listed`);
  const rows = [...specs].map(([name, columns]) => {
    const dependencies = needs.get(name);
    return [name, ...columns, ...(dependencies === undefined ? [] : [`needs=${dependencies.join(',')}`])].join(' ');
  });
  return `${rows.sort((a, b) => (a < b ? -1 : 1)).join('\n')}\n`;
}

function listedGates(kubernetesDir: string): [string, string[]][] {
  const file = join(kubernetesDir, 'test/compatibility_lifecycle/reference/versioned_feature_list.yaml');
  // The file is generated in a fixed form, so it can be parsed by line.
  const gates = readFileSync(file, 'utf8')
    .split(/^- name: /m)
    .slice(1);
  return gates.map((gate) => {
    const name = gate.slice(0, gate.indexOf('\n'));
    const specs = gate.split(/^ {2}- /m).slice(1);
    return [name, specs.map((spec) => specColumn(name, spec))];
  });
}

/** The gates of client-go, which the server registers too. */
function clientGates(clientDir: string): [string, string[]][] {
  const text = readFileSync(join(clientDir, 'features/known_features.go'), 'utf8');
  const block = /^var defaultVersionedKubernetesFeatureGates = [^\n]*\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? '';
  return [...block.matchAll(/^\t(\w+): \{\n([\s\S]*?)^\t\},/gm)].map(([, name = '', body = '']) => {
    const specs = [
      ...body.matchAll(/MustParse\("([\d.]+)"\), Default: (true|false), PreRelease: (\w+)(, LockToDefault: true)?/g),
    ];
    return [
      name,
      specs.map(([, version = '', enabled = '', stage = '', lock]) =>
        column(name, { version, stage, enabled: enabled === 'true', locked: lock !== undefined, minimum: '' }),
      ),
    ];
  });
}

/** Dependencies between gates; gates without any are omitted. */
function readDependencies(kubernetesDir: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(kubernetesDir, 'pkg/features/kube_features.go'), 'utf8').replaceAll(/\/\/.*$/gm, '');
  const block = /^var defaultKubernetesFeatureGateDependencies = [^\n]*\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? '';
  const entries = [...block.matchAll(/^\t(?:\w+\.)?(\w+):\s*\{([^}]*)\}/gm)].map(([, name = '', needs = '']) => {
    const names = needs.split(',').map((each) => /(\w+)\)?$/.exec(each.trim())?.[1] ?? '');
    return [name, names.filter((each) => each !== '')] as const;
  });
  return new Map(entries.filter(([, needs]) => needs.length > 0));
}

function specColumn(name: string, spec: string): string {
  const value = (key: string): string => new RegExp(`^ *${key}: "?([^"\n]*)"?$`, 'm').exec(spec)?.[1] ?? '';
  return column(name, {
    version: value('version'),
    stage: value('preRelease'),
    enabled: value('default') === 'true',
    locked: value('lockToDefault') === 'true',
    minimum: value('minCompatibilityVersion'),
  });
}

interface Specification {
  readonly version: string;
  readonly stage: string;
  readonly enabled: boolean;
  readonly locked: boolean;
  /** Minimum compatibility version; usually empty. */
  readonly minimum: string;
}

function column(name: string, { version, stage, enabled, locked, minimum }: Specification): string {
  const letter = stageLetters[stage];
  if (letter === undefined) throw new Error(`feature gate ${name} is at an unknown stage`);
  const state = enabled ? 't' : 'f';
  return `${version}${letter}${locked ? state.toUpperCase() : state}${minimum === '' ? '' : `@${minimum}`}`;
}
