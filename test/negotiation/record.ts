// Asks a reference server and keeps what it answers: node test/negotiation/record.ts URL KUBECONFIG
// The reference must be fresh, and without the admission plugin ServiceAccount.
import { play } from './play.ts';
import { writeRecording } from './recording.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG');
const played = await play({ url, kubeconfigPath });
writeRecording(played);
process.stdout.write(`${played.size} requests\n`);
