// Plays the failure of a conversion webhook to a reference server, and records its responses:
// node test/record.ts conversion-outage
import { writeFields } from '../recording.ts';
import { playOutage } from './play-outage.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-outage.ts URL KUBECONFIG');
// The reference tries again after some seconds.
const played = await playOutage({ url, kubeconfigPath }, { settleMs: 5000 });
writeFields('definitions', 'outage', played);
process.stdout.write(`${Object.keys(played).length} steps\n`);
