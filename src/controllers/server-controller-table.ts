import type { ControllerRow } from './controller-table.ts';
import { leaseCandidates } from './leader-election/lease-candidates.ts';

/** The controllers that belong to the API server, as in kube-apiserver: no flag disables them. */
export const serverControllerTable: readonly ControllerRow[] = [
  {
    name: 'leader-election-controller',
    account: { user: 'server' },
    concerns: [leaseCandidates],
    async start(context) {
      const { LeaderElectionController } = await import('./leader-election/leader-election-controller.ts');
      return new LeaderElectionController(context);
    },
  },
  {
    name: 'leasecandidate-garbage-collector',
    account: { user: 'server' },
    concerns: [leaseCandidates],
    async start(context) {
      const { leaseCandidateCleaner } = await import('./leader-election/lease-candidate-cleaner.ts');
      return leaseCandidateCleaner(context);
    },
  },
];
