import type { PartContext } from '../../api/contracts/part.ts';
import { FlowControl } from '../../flowcontrol/flow-control.ts';
import { LoopCapacity } from '../../flowcontrol/loop-capacity.ts';
import type { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import type { ServerConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';

/** Undefined if priority and fairness is off. */
export function openFlowControl(
  { requests, api }: Pick<ServerConfig, 'requests' | 'api'>,
  { metric, onStop, sharing }: Pick<PartContext, 'metric' | 'onStop'> & { readonly sharing: SeatSharing },
): FlowControl | undefined {
  if (!requests.priorityAndFairness) return undefined;
  const gates = gatesByConfig(api);
  const now = (): number => performance.now();
  const timers = new Set<NodeJS.Timeout>();
  onStop(() => {
    for (const timer of timers) clearTimeout(timer);
  });
  const control = new FlowControl({
    totalSeats: requests.maxReadOnlyInFlight + requests.maxMutatingInFlight,
    isBySize: gates.get('SizeBasedListCostEstimate') === true,
    watchesList: gates.get('WatchList') === true,
    capacity: new LoopCapacity({
      now,
      afterRound: (run) => void setImmediate(run),
      // A tick comes after all microtasks, and so after all that a request does before it has to wait.
      afterWork: (run) => queueMicrotask(() => process.nextTick(run)),
    }),
    now,
    metric,
    after(ms, run) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms).unref();
      timers.add(timer);
    },
  });
  sharing.join((shared) => control.shareWith(shared));
  return control;
}
