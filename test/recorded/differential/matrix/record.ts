// Plays the matrix against a reference server and records its responses: node test/record.ts matrix
import { playMatrix } from './play.ts';
import { writeMatrix } from './recording.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG');
const answers = await playMatrix({ url, kubeconfigPath });
writeMatrix(answers);
process.stdout.write(`${answers.size} cells\n`);
