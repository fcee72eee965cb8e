// Plays requests while a conversion webhook answers in unusual ways to a reference server, and records its responses:
// node test/record.ts conversion-answers
import { writeSharedResponses } from '../recording.ts';
import { playConversionResponses } from './play-conversion-answers.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined)
  throw new Error('usage: record-conversion-answers.ts URL KUBECONFIG');
const played = await playConversionResponses({ url, kubeconfigPath }, { settleMs: 2000 });
writeSharedResponses('definitions', 'conversion-answers', Object.entries(played));
process.stdout.write(`${Object.keys(played).length} steps\n`);
