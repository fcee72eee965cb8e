import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Listener } from '../../transport/listener.ts';
import { ExchangeSender } from '../exchange-sender.ts';

/** A thread that accepts requests and hands them all over. */
if (parentPort === null) throw new Error('this is to be run as a thread');
const { port, tls } = workerData as { readonly port: MessagePort; readonly tls: { cert: string; key: string } };
const sender = new ExchangeSender(port);
const listener = new Listener(tls, (exchange) => sender.handOver(exchange));
parentPort.postMessage(await listener.listen('127.0.0.1', 0));
