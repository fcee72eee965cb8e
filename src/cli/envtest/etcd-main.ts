import { EtcdArgumentError, etcdArguments } from './etcd-arguments.ts';
import { EtcdServer } from './etcd-server.ts';
import { removeLeftFiles } from './left-files.ts';
import { Parent } from './orphan.ts';

// The etcd of `binnacle envtest`. It ends by any signal, as etcd does: there is nothing to be closed.

/** For servers of the store to end after the test that has started them. */
const vacateTimeoutMs = 5_000;

// The test may have been the reader of a pipe.
process.stderr.on('error', () => undefined);

function complain(message: string): void {
  process.stderr.write(`etcd: ${message}\n`);
}

async function hold(): Promise<void> {
  const parsed = etcdArguments(process.argv.slice(2), process.env);
  const server = new EtcdServer({
    ...parsed,
    onOtherProtocol: () =>
      complain("this holds the place of an etcd for Binnacle's kube-apiserver, and does not speak etcd's own protocol"),
  });
  new Parent().onEnd(() => {
    const leave = (): never => {
      removeLeftFiles([parsed.dataDir, ...server.certDirs]);
      process.exit(1);
    };
    setTimeout(leave, vacateTimeoutMs);
    void server.vacated().then(leave);
  });
  await server.listen();
}

try {
  await hold();
} catch (error) {
  if (!(error instanceof EtcdArgumentError) && !(error instanceof Error && 'syscall' in error)) throw error;
  complain(error.message);
  process.exit(error instanceof EtcdArgumentError ? 2 : 1);
}
