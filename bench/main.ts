import { measureAgainst } from './against.ts';
import { comparisonText } from './comparison.ts';
import { readOptions, usage } from './options.ts';
import { table, type TargetReport } from './report.ts';
import { choose, namesOf, NoSuchRow } from './row-choice.ts';
import { rows } from './row-table.ts';
import { measureTargets } from './targets.ts';

const options = readOptions(process.argv.slice(2));
const rowsAgainst = rows.filter(({ against }) => against !== undefined);
const rowsHere = rows.filter(({ onPods, onFreshServer, ofTarget, apart }) =>
  [onPods, onFreshServer, ofTarget, apart].some((way) => way !== undefined),
);

async function main(): Promise<void> {
  if (options.help) return console.log(usage(namesOf(rowsHere), namesOf(rowsAgainst)));
  if (options.against === undefined) return measureHere();
  await measureAgainst({
    checkout: options.against,
    rows: choose(rowsAgainst, options.only),
    options,
    report: (comparison) => console.log(options.json ? JSON.stringify(comparison) : comparisonText(comparison)),
  });
}

async function measureHere(): Promise<void> {
  const chosen = choose(rowsHere, options.only);
  // Targets are compared with each other, and codecs with codecs.
  const comparisons: (readonly TargetReport[])[] = [];
  const ofTargets = chosen.filter(({ apart }) => apart === undefined);
  if (ofTargets.length > 0) comparisons.push(await measureTargets(ofTargets, options));
  for (const { apart } of chosen) if (apart !== undefined) comparisons.push(await apart(options));
  console.log(options.json ? JSON.stringify(comparisons.flat(), undefined, 2) : comparisons.map(table).join('\n\n'));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof NoSuchRow ? error.message : error);
  process.exitCode = 1;
}
