import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../api/contracts/audit.ts';
import { systemClock } from '../../api/time/clock.ts';
import { auditDefaults } from '../audit-config.ts';
import { eventText } from '../event-forms.ts';
import type { AuditBackend } from './backend.ts';
import { BatchingBackend } from './batching-backend.ts';
import { logBackend } from './log-backend.ts';
import { RotatingFile } from './rotating-file.ts';
import { truncatingBackend } from './truncating-backend.ts';
import { webhookBackend } from './webhook-backend.ts';

const event: AuditEvent = {
  level: 'RequestResponse',
  auditId: 'a',
  stage: 'ResponseComplete',
  requestUri: '/api',
  verb: 'get',
  user: {
    name: 'ann',
    uid: '',
    groups: ['x', 'y'],
    extra: {},
  },
  impersonatedUser: undefined,
  impersonationConstraint: '',
  sourceIps: ['10.0.0.1'],
  userAgent: 'test',
  objectRef: undefined,
  responseStatus: { code: 200 },
  requestObject: undefined,
  responseObject: undefined,
  receivedMs: 0x1a206266c50,
  stageMs: 0x1a206266c55,
  annotations: new Map(),
};
const named = (auditId: string, more: Partial<AuditEvent> = {}): AuditEvent => ({ ...event, auditId, ...more });

/** Remembers batches and failures by the ids of their events. */
function remembering(isStored = true) {
  const batches: string[][] = [];
  const failures: (readonly [plugin: string, ids: readonly string[]])[] = [];
  const ids = (events: readonly AuditEvent[]): string[] => events.map(({ auditId }) => auditId);
  const taken: AuditEvent[] = [];
  const backend: AuditBackend = {
    process(events) {
      batches.push(ids(events));
      taken.push(...events);
      return isStored;
    },
    close: () => Promise.resolve(),
  };
  const failed = (plugin: string, _: unknown, events: readonly AuditEvent[]) =>
    void failures.push([plugin, ids(events)]);
  return { backend, batches, taken, failures, failed };
}

test('an event as a line of text', () => {
  expect(eventText(event)).toBe(
    '2026-11-23T02:05:11.12Z AUDIT: id="a" stage="ResponseComplete" ip="10.0.0.1" method="get" user="ann" groups="\\"x\\",\\"y\\"" as="<self>" asgroups="<lookup>" user-agent="test" namespace="<none>" uri="/api" response="200"',
  );
});

describe('batches', () => {
  const batch = { ...auditDefaults.webhook.batch, throttle: false };
  const batching = (changes: Partial<typeof batch>, seen = remembering()) => {
    const { backend, failed } = seen;
    return {
      ...seen,
      batching: new BatchingBackend(backend, { ...batch, ...changes }, { clock: systemClock, failed }),
    };
  };

  test('go when they are full, and the rest when it has waited', async () => {
    const { batching: made, batches } = batching({ maxSize: 2, maxWaitMs: 20 });
    expect(made.process([named('1'), named('2')])).toBe(true);
    await sleep(1);
    made.process([named('3')]);
    await sleep(1);
    expect(batches).toEqual([['1', '2']]);
    await sleep(60);
    expect(batches).toEqual([['1', '2'], ['3']]);
  });

  test('what does not fit is dropped, and what waits is sent at the end', async () => {
    const { batching: made, batches, failures } = batching({ bufferSize: 2, maxSize: 10, maxWaitMs: 60_000 });
    expect(made.process([named('1'), named('2'), named('3')])).toBe(true);
    expect(failures).toEqual([['buffered', ['3']]]);
    await made.close();
    expect(batches).toEqual([['1', '2']]);
    made.process([named('4')]);
    expect(failures.at(-1)).toEqual(['buffered', ['4']]);
  });

  test('whose objects would fill the memory are dropped until others are sent', async () => {
    const { batching: made, batches, failures } = batching({ maxSize: 1 });
    const large = { requestObject: Buffer.alloc(40 * 1024 * 1024, 'x') };
    made.process([named('1', large), named('2', large), named('3')]);
    await sleep(1);
    made.process([named('4', large)]);
    await made.close();
    expect(failures).toEqual([['buffered', ['2']]]);
    expect(batches).toEqual([['1'], ['3'], ['4']]);
  });

  test('have the objects of large events, which are compressed meanwhile', async () => {
    const { batching: made, taken } = batching({ maxSize: 10, maxWaitMs: 60_000 });
    const large = { requestObject: Buffer.alloc(1 << 20, 'x'), responseObject: Buffer.from('{}') };
    made.process([named('1', large), named('2')]);
    await sleep(50);
    await made.close();
    expect(taken).toEqual([named('1', large), named('2')]);
  });

  test('are not sent faster than is allowed', async () => {
    const { batching: made, batches } = batching({ maxSize: 1, throttle: true, throttleQps: 20, throttleBurst: 1 });
    made.process([named('1'), named('2')]);
    await sleep(10);
    expect(batches).toEqual([['1']]);
    await made.close();
    expect(batches).toEqual([['1'], ['2']]);
  });
});

test('large events lose their objects, and larger ones are dropped', () => {
  const { backend, batches, taken, failures, failed } = remembering();
  const truncate = { enabled: true, maxEventBytes: 800, maxBatchBytes: 800 };
  const large = { responseObject: Buffer.from(JSON.stringify('x'.repeat(1_000))) };
  const made = truncatingBackend(backend, truncate, failed);
  const all = [
    named('1'),
    named('2', large),
    named('3', { ...large, level: 'Metadata' }),
    named('4', { userAgent: 'y'.repeat(1_000) }),
  ];
  expect(made.process(all)).toBe(true);
  expect(batches).toEqual([['1'], ['2']]);
  expect(taken[1]).toMatchObject({
    responseObject: undefined,
    annotations: new Map([['audit.k8s.io/truncated', 'true']]),
  });
  expect(failures).toEqual([['truncate', ['3', '4']]]);
});

test('a webhook is asked again, and then no more', async () => {
  const { failures, failed } = remembering();
  let calls = 0;
  const send = (): Promise<Buffer> => {
    calls += 1;
    return calls === 2 ? Promise.resolve(Buffer.from('')) : Promise.reject(new Error('no'));
  };
  const made = webhookBackend({ send }, { initialBackoffMs: 1, failed });
  expect(await made.process([named('1')])).toBe(true);
  expect(await made.process([named('2')])).toBe(false);
  expect([calls, failures]).toEqual([7, [['webhook', ['2']]]]);
});

test('a large body is the same each time that a webhook is asked', async () => {
  const { failed } = remembering();
  const bodies: string[] = [];
  const send = async (body: Uint8Array): Promise<Buffer> => {
    bodies.push(Buffer.from(body).toString());
    await sleep(1);
    if (bodies.length < 3) throw new Error('no');
    return Buffer.from('');
  };
  const made = webhookBackend({ send }, { initialBackoffMs: 50, failed });
  const requestObject = Buffer.from(JSON.stringify('x'.repeat(1 << 20)));
  expect(await made.process([named('1', { requestObject })])).toBe(true);
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ items: [{ requestObject: 'x'.repeat(1 << 20) }] });
  expect(bodies[1] === bodies[0] && bodies[2] === bodies[0]).toBe(true);
});

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-audit-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'logs', 'audit.log');
  const clockAt = (now: () => number) => ({ ...systemClock, now });

  test('are rotated, compressed, and removed when there are too many', async () => {
    let nowMs = Date.parse('2026-11-23T00:00:00Z');
    const errors: unknown[] = [];
    const file = new RotatingFile({
      path,
      clock: clockAt(() => nowMs),
      maxBytes: 10,
      maxBackups: 2,
      maxAgeMs: 0,
      compress: true,
      onError: (error) => errors.push(error),
    });
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five-five\n']) {
      nowMs += 1_000;
      file.write(Buffer.from(line));
    }
    expect(() => file.write(Buffer.from('longer than a file\n'))).toThrow(
      'write length 19 exceeds maximum file size 10',
    );
    await file.close();
    const names = readdirSync(join(folder, 'logs')).toSorted();
    expect(names.filter((name) => name.endsWith('.gz'))).toHaveLength(2);
    const [first = ''] = names.filter((name) => name.endsWith('.gz'));
    expect(first).toMatch(/^audit-2026-11-23T00-00-0\d\.000\.log\.gz$/);
    expect(gunzipSync(readFileSync(join(folder, 'logs', first))).toString()).toMatch(/\n$/);
    expect(errors).toEqual([]);
  });

  test('take lines of JSON; what cannot be written is told', async () => {
    const { failures, failed } = remembering();
    const config = { ...auditDefaults.log, path, maxSizeMegabytes: 0 };
    const made = logBackend(config, { clock: systemClock, failed, onError: () => undefined });
    expect(made.process([event])).toBe(true);
    await made.close();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ auditID: 'a', responseStatus: { code: 200 } });
    // The system gives its descriptor to others.
    const others = Array.from({ length: 20 }, (_, at) => join(folder, `other-${at}`));
    const descriptors = others.map((other) => openSync(other, 'a'));
    expect(made.process([event])).toBe(false);
    expect(failures).toEqual([['log', ['a']]]);
    for (const descriptor of descriptors) closeSync(descriptor);
    for (const other of others) expect(readFileSync(other, 'utf8')).toBe('');
  });

  test('that cannot be rotated keep their lines', async () => {
    const file = new RotatingFile({
      path,
      clock: systemClock,
      maxBytes: 10,
      maxBackups: 0,
      maxAgeMs: 0,
      compress: false,
      onError: () => undefined,
    });
    file.write(Buffer.from('one\n'));
    renameSync(path, `${path}.elsewhere`);
    expect(() => file.write(Buffer.from('two-two\n'))).toThrow('ENOENT');
    file.write(Buffer.from('three\n'));
    await file.close();
    expect(readFileSync(`${path}.elsewhere`, 'utf8')).toBe('one\nthree\n');
  });
});
