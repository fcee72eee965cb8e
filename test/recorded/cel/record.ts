/*
 * Records the reference's results for expressions. The oracle is built first: copy `oracle/*.go` beside a go.mod
 * that requires k8s.io/kubernetes 1.37.1 and run `go build -o ORACLE .` there.
 *
 *   node test/record.ts cel ORACLE            prints differences
 *   node test/record.ts cel ORACLE --record   writes the recorded cases of the test
 */
import { prepareExpressions } from '../../../src/cel/environments/kubernetes.ts';
import { writeCases } from '../recording.ts';
import { answer, differenceOf } from './answer.ts';
import { allCases } from './cases.ts';
import { answersOf } from './oracle.ts';

const [, , oracle, record] = process.argv;
if (oracle === undefined) throw new Error('usage: record.ts ORACLE [--record]');

const questions = allCases();
const answers = answersOf(oracle, questions);

if (record === '--record') {
  const cases = questions.map((question, index) => ({ ...question, ...answers[index] }));
  writeCases('cel', 'expressions', cases);
} else {
  await prepareExpressions();
  for (const [index, question] of questions.entries()) {
    const difference = differenceOf(answers[index] ?? {}, answer(question));
    if (difference !== undefined) console.log(`${JSON.stringify(question)}\n  ${difference}`);
  }
}
console.log(`${questions.length} expressions`);
