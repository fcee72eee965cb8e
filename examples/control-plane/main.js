import { startControlPlane } from './control-plane.js';

const [, , dataDir = 'data'] = process.argv;
const { kubeconfigPath, close } = await startControlPlane(dataDir);
console.log(`kubectl --kubeconfig ${kubeconfigPath} get parcels`);
process.once('SIGTERM', close).once('SIGINT', close);
