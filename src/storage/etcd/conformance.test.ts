import { afterAll, beforeAll } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../test/etcd-process.ts';
import { testStorage } from '../conformance/suite.ts';
import { openEtcdStorage } from './engine.ts';

describeWithEtcd('with etcd', () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
  });
  afterAll(() => etcd[Symbol.asyncDispose]());

  testStorage({ name: 'etcd', open: () => openEtcdStorage({ servers: [etcd.url] }) });
});
