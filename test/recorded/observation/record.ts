import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApiClient } from '../../api-client.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { klogLines } from '../../observation/klog-line.ts';
import { writeCases } from '../recording.ts';
import { comparable, playLogged } from './log-script.ts';

/** Records what kube-apiserver logs about requests: `node test/record.ts observation`. */
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, ['-v=4']);
using client = await ApiClient.connect(server);
await playLogged(server.url, client);
const log = readFileSync(join(dirname(server.kubeconfigPath), 'kube-apiserver.log'), 'utf8');
const lines = comparable(klogLines(log.slice(log.indexOf('probe/0') - 400).replace(/^[^\n]*\n/, '')));
writeCases('observation', 'log-lines', lines);
process.stdout.write(`${lines.length} lines\n`);
