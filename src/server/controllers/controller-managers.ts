import type { ControllerRow } from '../../controllers/controller-table.ts';
import type { Store } from '../store/store.ts';
import { noAdmission } from '../../system/system-operation.ts';
import { ControllerManager, type ControllerManagerOptions } from './controller-manager.ts';

/** Held by the server that elects holders of Leases among their candidates; the name is kube-apiserver's. */
const coordinationLease = 'leader-election-controller';

/** The Lease of kube-controller-manager, and the one by which servers with a common store elect one of them. */
const managerLease = 'kube-controller-manager';
const sharedLease = {
  lease: 'binnacle-controllers',
  times: { durationMs: 15_000, stepDownMs: 10_000, renewEveryMs: 5_000, retryMs: 1_000 },
  admission: noAdmission,
};

/** Disposal stops all of them. */
export interface Managers extends AsyncDisposable {
  /** The controllers that `--controllers` selects. */
  readonly controllers: ControllerManager;
  readonly serverControllers: ControllerManager;
}

interface ManagersContext {
  readonly rows: readonly ControllerRow[];
  readonly wiring: { readonly serverControllers: readonly ControllerRow[] };
  readonly access: Pick<ControllerManagerOptions, 'admission'>;
  readonly store: Pick<Store, 'isShared'>;
}

export function controllerManagers(
  shared: Omit<ControllerManagerOptions, 'rows' | 'election' | 'foreignLease'>,
  { rows, wiring, access: { admission }, store }: ManagersContext,
): Managers {
  const election = { lease: coordinationLease, times: shared.settings.config.election, admission };
  const controllers = new ControllerManager({
    ...shared,
    rows,
    foreignLease: managerLease,
    ...(store.isShared ? { election: sharedLease } : {}),
  });
  const serverControllers = new ControllerManager({ ...shared, rows: wiring.serverControllers, election });
  return {
    controllers,
    serverControllers,
    async [Symbol.asyncDispose]() {
      await Promise.all([controllers[Symbol.asyncDispose](), serverControllers[Symbol.asyncDispose]()]);
    },
  };
}
