import { startControllerManager } from '../../controllers/controller-manager.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeCases } from '../recording.ts';
import { checkedTypes } from './type-checks.ts';

/** Records what kube-controller-manager tells: `node test/record.ts policy-types`. */
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
await using _manager = startControllerManager(server, {
  controllers: ['validatingadmissionpolicy-status-controller'],
  flags: [],
});
const statuses = await checkedTypes(server);
writeCases('policies', 'type-checks', statuses);
