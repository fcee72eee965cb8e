// Records the owners that a reference server keeps of values that no longer fit:
// node test/record.ts mismatchs
import { writeResponses } from '../recording.ts';
import { digestOf, playMismatches } from './play-mismatches.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-mismatches.ts URL KUBECONFIG');
const played = await playMismatches({ url, kubeconfigPath });
const digests = Object.entries(played).map(([step, answer]) => [step, digestOf(answer)] as const);
writeResponses('definitions', 'mismatches', digests);
process.stdout.write(`${digests.length} steps\n`);
