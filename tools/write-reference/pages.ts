import { builtFlags } from '../../src/cli/built-flags.ts';
import type { BuiltFlag } from '../../src/cli/flag.ts';
import { type FlagFact, flagFacts } from '../../src/cli/flag-facts.ts';
import { currentRelease, servedByDefault } from '../../src/schema/kubernetes/api-enablement.ts';
import { featureGatesOf } from '../../src/schema/kubernetes/feature-gates.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import { limits } from './limits.ts';
import type { MetricFacts } from './metrics.ts';

/** The pages of `docs/reference`, by their file names, made from the tables that the server itself uses. */
export function referencePages(metrics: readonly MetricFacts[]): ReadonlyMap<string, string> {
  return new Map([
    ['flags.md', flagsPage()],
    ['feature-gates.md', gatesPage()],
    ['kinds.md', kindsPage()],
    ['limits.md', limitsPage()],
    ['metrics.md', metricsPage(metrics)],
  ]);
}

const origin = 'Written by `node tools/write-reference/main.ts` from the tables that the server uses.';

function flagsPage(): string {
  const built = new Map(builtFlags.map((flag) => [flag.name, flag]));
  const known = new Set(flagFacts.map(({ name }) => name));
  const served = flagFacts.filter(({ section }) => section !== 'Global');
  const sections = Map.groupBy(served, ({ section }) => section);
  const own = builtFlags.filter(({ name }) => !known.has(name)).map((flag) => ownRow(flag));
  return page('Flags of `binnacle serve`', [
    `Names and meanings are those of kube-apiserver ${currentRelease}.`,
    origin,
    ...[...sections].flatMap(([section, rows]) => [
      `## ${section}`,
      table(
        ['flag', 'type', 'default', 'meaning'],
        rows.map((fact) => flagRow(fact, built.get(fact.name))),
      ),
    ]),
    '## Not of kube-apiserver',
    table(['flag', 'type', 'default', 'meaning'], own),
  ]);
}

function flagRow({ name, type, default: text = '' }: FlagFact, flag: BuiltFlag | undefined): readonly string[] {
  const shown = flag?.ownDefault === true ? '' : code(text);
  return [code(`--${name}`), type, shown, flag?.help ?? ''];
}

function ownRow({ name, ownType = 'string', help }: BuiltFlag): readonly string[] {
  return [code(`--${name}`), ownType, '', help];
}

function gatesPage(): string {
  const rows = featureGatesOf(currentRelease)
    .filter(({ stage }) => stage !== 'PreAlpha')
    .map(({ name, stage, enabledByDefault, locked, needs }) => [
      name,
      stage.toLowerCase(),
      enabledByDefault ? 'on' : 'off',
      locked ? 'fixed' : '',
      needs.join(', '),
    ]);
  return page('Feature gates', [
    `For \`--feature-gates\`, in Kubernetes ${currentRelease}; \`--emulated-version\` gives those of an older\nrelease.`,
    origin,
    table(['gate', 'stage', 'default', '', 'needs'], rows),
  ]);
}

function kindsPage(): string {
  const byGroup = Map.groupBy(builtInResources(), ({ group, version }) =>
    group === '' ? version : `${group}/${version}`,
  );
  return page('Built-in kinds', [
    `The API of Kubernetes ${currentRelease}; \`--runtime-config\` serves versions that are off by default.`,
    'Where answers differ from those of kube-apiserver is told in [differences](../validation.md).',
    origin,
    ...[...byGroup].flatMap(([version, resources]) => [
      `## ${version}${resources.some(servedByDefault) ? '' : ' (off by default)'}`,
      table(
        ['resource', 'kind', 'scope', 'verbs', 'subresources'],
        resources.map(({ plural, kind, namespaced, verbs, subresources }) => [
          code(plural),
          kind,
          namespaced ? 'namespace' : 'cluster',
          verbs.join(', '),
          subresources.map(({ name }) => name).join(', '),
        ]),
      ),
    ]),
  ]);
}

function limitsPage(): string {
  return page('Limits', [
    'What clients can make the server hold or do is bounded, so that others are served. Where kube-apiserver has a\ndifferent limit, it is given in parentheses.',
    origin,
    ...Object.entries(limits).flatMap(([heading, rows]) => [
      `## ${heading}`,
      table(['what', 'limit', 'beyond it'], rows),
    ]),
  ]);
}

function metricsPage(metrics: readonly MetricFacts[]): string {
  return page('Metrics', [
    'At `/metrics`. Names and meanings are those of kube-apiserver where it has the same metric; those of `nodejs` and\n`process` tell of the process. [Observability](../observability.md) tells how to read them.',
    'Written by `node tools/write-reference/main.ts` from what a server shows.',
    table(
      ['metric', 'type', 'meaning'],
      metrics.map(({ name, type, help }) => [code(name), type, help]),
    ),
  ]);
}

function page(title: string, parts: readonly string[]): string {
  return `# ${title}\n\n${parts.join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
