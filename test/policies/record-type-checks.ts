import { writeFile } from 'node:fs/promises';
import { startControllerManager } from '../controllers/controller-manager.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { checkedTypes } from './type-checks.ts';

/** Records what kube-controller-manager tells: `node test/policies/record-type-checks.ts`. */
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
await using _manager = startControllerManager(server, {
  controllers: ['validatingadmissionpolicy-status-controller'],
  flags: [],
});
const statuses = await checkedTypes(server);
await writeFile(new URL('testdata/type-checks.json', import.meta.url), `${JSON.stringify(statuses, undefined, 1)}\n`);
