// Sends the requests to a reference server and records its responses: node test/record.ts negotiation
import { play } from './play.ts';
import { writeRecording } from './recording.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG');
const played = await play({ url, kubeconfigPath });
writeRecording(played);
process.stdout.write(`${played.size} requests\n`);
