import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ExchangeReceiver } from '../exchange-receiver.ts';
import { answers } from './answers.ts';

/** A thread that serves what others hand over: each sends a port. Messages tell what it sees. */
if (parentPort === null) throw new Error('this is to be run as a thread');
const parent = parentPort;
const handle = answers((what) => parent.postMessage(what));
new ExchangeReceiver(workerData as MessagePort, handle);
parent.on('message', (what: MessagePort | 'throw' | 'fill the heap') => {
  if (what === 'throw') throw new Error('killed by the test');
  if (what === 'fill the heap') for (const kept: unknown[] = []; ;) kept.push(Array.from({ length: 1e5 }, () => ({})));
  new ExchangeReceiver(what, handle);
});
