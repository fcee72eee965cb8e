// Compares random CEL expressions with the reference's libraries, and prints what differs: verdict, type, value, error,
// cost and estimate. The oracle is that of test/recorded/cel.
//   node tools/fuzz-cel/main.ts ORACLE [--from SEED] [--count N] [--record]
// `--record` writes the answers that the test replays instead.
import { prepareExpressions } from '../../src/cel/environments/kubernetes.ts';
import { answer } from '../../test/recorded/cel/answer.ts';
import { answersOf } from '../../test/recorded/cel/oracle.ts';
import { writeCases } from '../../test/recorded/recording.ts';
import { readArguments } from '../arguments.ts';
import { meaningfulDifference } from './difference.ts';
import { randomQuestion } from './random-question.ts';

const { values, positionals } = readArguments(
  {
    allowPositionals: true,
    options: {
      from: { type: 'string', default: '0' },
      count: { type: 'string', default: '1000' },
      record: { type: 'boolean', default: false },
    },
  },
  { needed: 1 },
);
const [oracle = ''] = positionals;

const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index);
const questions = seeds.map(randomQuestion);
const answers = answersOf(oracle, questions);

if (values.record) {
  const cases = seeds.map((seed, index) => ({ seed, ...answers[index] }));
  writeCases('cel', 'random-expressions', cases);
} else {
  await prepareExpressions();
  const counts = { expressions: questions.length, compiled: 0, evaluated: 0, differ: 0 };
  for (const [index, question] of questions.entries()) {
    const expected = answers[index] ?? {};
    if (expected.compile === undefined) counts.compiled += 1;
    if (expected.result !== undefined) counts.evaluated += 1;
    const difference = meaningfulDifference(expected, answer(question));
    if (difference === undefined) continue;
    counts.differ += 1;
    process.stdout.write(`seed ${seeds[index]}, ${question.setting}: ${question.expression}\n  ${difference}\n`);
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}
