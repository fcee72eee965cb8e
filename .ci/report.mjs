// What the JSON reports of vitest in a folder say: first.json and, if some files ran a second time, again.json.
//   node .ci/report.mjs failed FOLDER         the files to run again, if they are few enough to be chance
//   node .ci/report.mjs totals FOLDER CODE    "N passed, N failed"; CODE is 0 if all programs ended well
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** More failures than these have one cause, and it is not the moment. */
const mostAgain = 3;

const [verb, folder, others] = process.argv.slice(2);
const isFailed = ({ status }) => status === 'failed';
const filesOf = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults;
/** A file that runs in two projects is in it twice, by one name. */
const filesOfFirstRun = () => filesOf('first.json');

function tellFailed() {
  const failed = new Set(
    filesOfFirstRun()
      .filter(isFailed)
      .map(({ name }) => name),
  );
  if (failed.size <= mostAgain) console.log([...failed].map((name) => relative('.', name)).join(' '));
}

function tellTotals() {
  const again = existsSync(join(folder, 'again.json')) ? filesOf('again.json') : [];
  const ranAgain = new Set(again.map(({ name }) => name));
  for (const name of ranAgain) {
    const ended = again.some((file) => file.name === name && isFailed(file)) ? 'failed' : 'passed';
    console.log(`${relative('.', name)} failed beside others, and ${ended} when it ran alone`);
  }
  const last = [...filesOfFirstRun().filter(({ name }) => !ranAgain.has(name)), ...again];
  const tests = last.flatMap((file) => file.assertionResults);
  // A file may fail without a failed test: in a hook, or before its tests are known.
  const broken = last.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed));
  // Whatever else failed counts as one, so that the closing line cannot look better than the exit code.
  const failed = tests.filter(isFailed).length + broken.length || (others === '0' ? 0 : 1);
  console.log(`${tests.filter(({ status }) => status === 'passed').length} passed, ${failed} failed`);
}

try {
  if (verb === 'failed') tellFailed();
  else tellTotals();
} catch (error) {
  console.error(`no test report: ${error.message}`);
  if (verb === 'totals') console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
