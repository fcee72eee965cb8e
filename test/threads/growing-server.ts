/**
 * `node growing-server.ts FOLDER MOST`: a server that begins with one thread and has up to so many, which come and go
 * soon. It tells its parent where it serves, and ends with it.
 */
import { configDefaults } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { threadModule } from '../release-form.ts';
import { withoutAccounts } from '../server-fixture.ts';

const [dataDir = '', most] = process.argv.slice(2);
const threadGrowth = {
  most: Number(most),
  busyMs: 300,
  busyWindows: 1,
  computingShare: 0,
  idleMs: 300,
  moveAfterMs: 0,
};
const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 };
const server = await startServer({
  ...configDefaults,
  dataDir,
  admission: withoutAccounts,
  logging: { level: 'error' },
  serving: { ...serving, apiThreads: 'auto', threadGrowth, threadModule },
});
process.once('disconnect', () => void server.close());
process.send?.({ url: server.url, kubeconfigPath: server.kubeconfigPath });
