import { configDefaults } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { builtInWiring } from '../../src/server/wiring.ts';
import { onEtcd } from '../server-fixture.ts';
import { lacking } from './lacking.ts';

/*
 * A server of a store that can be killed: `node killed-peer.ts ETCD_URL PKI DATA_DIR PORT`. It serves batch/v1, lacks
 * autoscaling/v2, and writes a line when it serves.
 */
const [etcdUrl = '', pki = '', dataDir = '', port = ''] = process.argv.slice(2);
const config = lacking('autoscaling/v2', 'killed', pki);
const server = await startServer(
  {
    ...configDefaults,
    ...config,
    dataDir,
    serving: { ...configDefaults.serving, ...config.serving, securePort: Number(port) },
    storage: { ...configDefaults.storage, ...onEtcd(etcdUrl) },
  },
  { wiring: builtInWiring },
);
console.log(`serves ${server.url}`);
