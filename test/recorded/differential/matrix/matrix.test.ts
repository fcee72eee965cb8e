import { expect, test } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../etcd-process.ts';
import { onEtcd, startTestServer, type TestServer } from '../../../server-fixture.ts';
import { expectRecorded } from '../../expect-recorded.ts';
import { cells } from './cells.ts';
import { knownDifferences } from './known-differences.ts';
import { playMatrix } from './play.ts';
import { readMatrix } from './recording.ts';

async function compare(server: TestServer): Promise<void> {
  const answers = await playMatrix(server);
  const recorded = readMatrix();
  expect([...recorded.keys()]).toEqual(expect.arrayContaining([...answers.keys()]));
  for (const [cell, answer] of answers) {
    const isKnown = knownDifferences[cell] !== undefined;
    expectRecorded({ name: cell, answer, recorded: recorded.get(cell), isKnown });
  }
}

test('every cell has a unique name, and every known difference is for a cell', () => {
  const names = new Set(cells.map(({ name }) => name));
  expect(names.size).toBe(cells.length);
  expect(Object.keys(knownDifferences).filter((name) => !names.has(name))).toEqual([]);
});

test('get, list and watch respond to every combination of parameters like the reference', async () => {
  await using server = await startTestServer();
  await compare(server);
});

describeWithEtcd('on etcd', () => {
  test('they respond the same', async () => {
    await using etcd = await EtcdProcess.start();
    await using server = await startTestServer({}, onEtcd(etcd.url));
    await compare(server);
  });
});
