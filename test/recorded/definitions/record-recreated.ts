// Plays definitions that are deleted and created again to a reference server, and records its responses:
// node test/record.ts definitions-recreated
import { writeFields } from '../recording.ts';
import { playRecreated } from './play-recreated.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-recreated.ts URL KUBECONFIG');
// The reference serves and stops serving some seconds after it says so.
const played = await playRecreated({ url, kubeconfigPath }, { settleMs: 4000 });
writeFields('definitions', 'recreated', played);
process.stdout.write(`${Object.keys(played).length} steps\n`);
