import type { PlannedFault } from './faults.ts';
import type { Report, Scenario } from './scenario.ts';

const shown = 20;

/** A summary of the run and its findings, with what is needed to reproduce it. */
export function describeReport(
  { seed, deployment, durationMs }: Scenario,
  { run, faults, violations, definitionChanges }: Report,
): string {
  const outcomes = counts(run.operations.map(({ action, outcome }) => `${action.verb} ${outcome.kind}`));
  const endings = counts(run.watches.map(({ ending }) => ending));
  const events = counts(run.watches.flatMap((watch) => watch.events.map(({ type }) => type)));
  const perWatcher = counts(run.watches.flatMap(({ client, events: told }) => told.map(() => client)));
  const definition = definitionChanges === 0 ? '' : `, ${definitionChanges} changes of the definition`;
  const lines = [
    `seed ${seed}, ${deployment}, ${durationMs / 1000} s: ${run.changes.length} changes, ${run.operations.length} requests, ${run.watches.length} watches${definition}`,
    `  requests: ${outcomes}`,
    `  watches: ${endings}; events: ${events}`,
    `  events of: ${perWatcher}`,
    `  faults: ${counts(faults.map(showFault))}`,
    `  violations: ${counts(violations.map(({ kind }) => kind)) || 'none'}`,
    `  unknown: ${counts(run.operations.flatMap(({ outcome }) => (outcome.kind === 'unknown' ? [outcome.detail] : [])))}`,
    ...violations.slice(0, shown).map(({ kind, detail }) => `  ${kind}: ${detail}`),
    ...(violations.length > shown ? [`  and ${violations.length - shown} more`] : []),
  ];
  return lines.join('\n');
}

function showFault({ target, fault, meanwhile }: PlannedFault): string {
  return `${fault} ${target}${meanwhile === undefined ? '' : ` with ${meanwhile.fault}`}`;
}

function counts(values: readonly string[]): string {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, count]) => `${value} ${count}`)
    .join(', ');
}
