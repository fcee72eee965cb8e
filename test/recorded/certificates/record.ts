/*
 * Compares what is said about mutated certificates, requests and keys with Go's crypto/x509 and crypto/tls. The oracle
 * is built first: `go build -o ORACLE test/recorded/certificates/oracle/main.go`, with the reference's release of Go.
 *
 *   node test/record.ts certificates ORACLE [SEED] [COUNT]   prints differences
 *   node test/record.ts certificates ORACLE --record         writes what the test replays
 */
import { spawnSync } from 'node:child_process';
import { writeCases } from '../recording.ts';
import { answer, isUnpredictable } from './answer.ts';
import { recordedCount, recordedSeed } from './recorded.ts';
import { questionsOf } from './questions.ts';

const [oracle, first = '1', count = '2000'] = process.argv.slice(2);
if (oracle === undefined) throw new Error('usage: record.ts ORACLE [--record | SEED COUNT]');
const isRecording = first === '--record';
const questions = isRecording ? questionsOf(recordedSeed, recordedCount) : questionsOf(Number(first), Number(count));
const lines = questions.map(({ kind, bytes, key }) => JSON.stringify({ kind, bytes: bytes.toString('base64'), key }));
const { stdout } = spawnSync(oracle, { input: `${lines.join('\n')}\n`, maxBuffer: 2 ** 28 });
const answers = stdout.toString().trim().split('\n');

if (isRecording) {
  writeCases(
    'certificates',
    'answers',
    // The oracle writes strings.
    answers.map((line) => JSON.parse(line) as string),
  );
} else {
  for (const [index, question] of questions.entries()) {
    const expected = JSON.parse(answers[index] ?? '""') as string; // the oracle writes strings
    const found = answer(question);
    if (expected === found || isUnpredictable(expected)) continue;
    console.log(`${question.kind} ${question.name}\n  Go       ${expected}\n  Binnacle ${found}`);
  }
}
console.log(`${questions.length} questions`);
