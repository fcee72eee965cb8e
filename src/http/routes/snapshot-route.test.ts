import { noLog } from '../../api/contracts/log.ts';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Catalogue } from '../../catalogue/catalogue.ts';
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import { BodyBudget } from '../transport/body-budget.ts';
import { Listener } from '../transport/listener.ts';
import { encodingTable } from '../forms/encoding-table.ts';
import { formTable } from '../forms/form-table.ts';
import { wireForms } from '../negotiation/wire-forms.ts';
import { RequestContext } from '../request/request-context.ts';
import { OpenWatches } from '../request/open-watches.ts';
import { LargeBodyLimit } from '../request/large-body-limit.ts';
import { snapshotHandler } from './snapshot-route.ts';

const stallTimeoutMs = 1500;
const chunks = 40;
let folder: string;
let listener: Listener;
let session: ClientHttp2Session;
/** Statistics of the last snapshot. */
let taken = 0;
let closed = false;

function takeSnapshot(): { readonly keys: number; readonly chunks: Iterable<Uint8Array> } {
  return { keys: chunks, chunks: generate() };
}

function* generate(): Generator<Uint8Array> {
  taken = 0;
  closed = false;
  try {
    for (; taken < chunks; taken += 1) yield Buffer.alloc(1 << 20, taken);
  } finally {
    closed = true;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-snapshot-route-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: [] };
  const { authority, server } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  const handle = snapshotHandler(takeSnapshot, stallTimeoutMs);
  const services = {
    clock: systemClock,
    verbs: new Map(),
    kinds: () => ({
      catalogue: Catalogue.empty,
      scopeOf: () => undefined,
      knownScopeOf: () => undefined,
      placeOf: () => undefined,
      scopeOfKind: () => undefined,
    }),
    wireForms: wireForms(encodingTable, formTable),
    bodies: new BodyBudget(),
    compression: { responses: false, watchLists: false },
    watches: new OpenWatches(),
    largeBodies: new LargeBodyLimit(),
    log: noLog,
    transportSecurity: '',
  };
  const tls = { cert: server.certificate, key: server.key };
  listener = new Listener(tls, (exchange) => void handle(new RequestContext(exchange, services)));
  session = connect(`https://localhost:${await listener.listen('127.0.0.1', 0)}`, { ca: authority });
});

afterAll(async () => {
  session.destroy();
  await listener.close(0);
  await rm(folder, { recursive: true });
});

it('is generated no faster than the client reads', async () => {
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  await sleep(100);
  expect(taken).toBeLessThan(chunks / 2);
  let sizeBytes = 0;
  for await (const chunk of stream) sizeBytes += (chunk as Buffer).length; // no encoding is set
  expect(sizeBytes).toBe(chunks << 20);
});

it('ends when the client stops reading, and releases everything', async () => {
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  const [error] = (await once(stream, 'error')) as [Error & { readonly code: string }];
  expect(error.code).toBe('ERR_HTTP2_STREAM_ERROR');
  expect(taken).toBeLessThan(chunks / 2);
  expect(closed).toBe(true);
});

it('ends when the client goes away', async () => {
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  stream.close();
  for (let tries = 0; !closed && tries < 100; tries++) await sleep(10);
  expect(closed).toBe(true);
  expect(taken).toBeLessThan(chunks);
});
