import type { FlowRequest } from '../classification/flow-request.ts';
import type { WorkEstimate } from '../queueing/queue.ts';
import { listSeats, type ListQuery, type StoredStatistics } from './list-seats.ts';
import { msPerSeat, seatSeconds } from '../queueing/seat-seconds.ts';

export interface WorkEstimatorOptions {
  /** By the size of objects; otherwise by their number. */
  readonly isBySize: boolean;
  /** Watches begin with lists. */
  readonly watchesList: boolean;
}

export interface EstimatedRequest extends FlowRequest {
  /** The query of a list or watch. */
  listQuery(): ListQuery;
  /** Undefined: not known, as of resources of other servers. */
  statistics(): StoredStatistics | undefined;
}

const minSeats = 1;
const maxMutatingSeats = 10;
const oneSeat: WorkEstimate = { initialSeats: minSeats, finalSeats: 0, additionalMs: 0 };

/** One seat serves the events of a write to so many watches in so long. */
const watchesPerSeat = 10;
const eventMs = 5;

const listing = new Set(['list', 'watch']);
const mutating = new Set(['create', 'update', 'patch', 'delete']);

/** Estimates what requests cost, in seats. */
export class WorkEstimator {
  readonly #options: WorkEstimatorOptions;

  constructor(options: WorkEstimatorOptions) {
    this.#options = options;
  }

  /** Whether the watches that are told of the request matter. */
  countsWatches({ verb, resource, subresource }: FlowRequest): boolean {
    // Tokens are of service accounts, but creating one changes nothing.
    return mutating.has(verb) && !(resource === 'serviceaccounts' && subresource === 'token');
  }

  /** `limit`: the most that the priority level lets one request have. */
  estimate(
    request: EstimatedRequest,
    { watches, limit }: { readonly watches: number; readonly limit: number | undefined },
  ): WorkEstimate {
    const { verb } = request;
    if (listing.has(verb)) return this.#list(request, limit);
    return watches >= watchesPerSeat && this.countsWatches(request) ? writeWork(watches, limit) : oneSeat;
  }

  #list(request: EstimatedRequest, limit: number | undefined): WorkEstimate {
    const { isBySize, watchesList } = this.#options;
    if (request.verb === 'watch' && !watchesList) return oneSeat;
    const most = Math.min(limit ?? Infinity, isBySize ? 100 : 10);
    const query = request.listQuery();
    if (query.isInvalid) return seatsOnly(most);
    const isWatch = request.verb === 'watch';
    // Without initial events a watch costs nothing to begin.
    if (isWatch && !query.sendsInitialEvents && query.resourceVersion !== '' && query.resourceVersion !== '0')
      return oneSeat;
    const statistics = request.statistics();
    if (statistics === undefined) return oneSeat;
    const seats = listSeats({ ...query, isWatch, isSingle: request.name !== '' }, { ...statistics, isBySize });
    return seatsOnly(Math.min(Math.max(seats, minSeats), most));
  }
}

function seatsOnly(initialSeats: number): WorkEstimate {
  return initialSeats === minSeats ? oneSeat : { initialSeats, finalSeats: 0, additionalMs: 0 };
}

/** The events that a write causes. Where they would take more seats than are allowed, they take them for longer. */
function writeWork(watches: number, limit: number | undefined): WorkEstimate {
  const wanted = Math.ceil(watches / watchesPerSeat);
  const finalSeats = Math.min(wanted, limit ?? Infinity, maxMutatingSeats);
  return { initialSeats: minSeats, finalSeats, additionalMs: msPerSeat(seatSeconds(wanted, eventMs), finalSeats) };
}
