import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Integrator } from './integrator.ts';
import type { QueuedRequest, RefusalReason, RequestObserver } from './queue.ts';
import { QueueSet, type QueueSetMode } from './queue-set.ts';
import { dealHand } from './shuffle-dealer.ts';
import { SimulatedTime } from './simulated-time.ts';

/** Threads that each send requests, one after the other. Times are in milliseconds. */
interface Client {
  readonly hash: bigint;
  readonly threads: number;
  readonly calls: number;
  readonly takesMs: number;
  /** Between the answer and the next request; negative: the next one is sent before the answer. */
  readonly thinksMs: number;
  readonly seats?: number;
  /** Seats that a request keeps after its answer. */
  readonly final?: { readonly seats: number; readonly ms: number };
}

interface Scenario {
  readonly mode: QueueSetMode;
  readonly limit: number;
  readonly clients: readonly Client[];
  readonly durationMs: number;
  readonly holdsSeats?: boolean;
}

interface Played {
  /** Seats in use by each client, on average. */
  readonly averages: readonly number[];
  readonly executed: readonly number[];
  readonly refused: number;
}

const moment = 1e-6;

function play({ mode, limit, clients, durationMs, holdsSeats = false }: Scenario): Played {
  const time = new SimulatedTime();
  time.holdsSeats = holdsSeats;
  const set = new QueueSet({ mode, limit }, time);
  const used = clients.map(() => new Integrator(0));
  const executed = clients.map(() => 0);
  let refused = 0;
  const use = (client: number, by: number): void => {
    const integrator = used[client];
    integrator?.set(integrator.value + by, time.now());
  };
  const call = (client: Client, at: number, left: number): void => {
    if (left === 0) return;
    const { hash, takesMs, thinksMs, seats = 1, final } = client;
    const work = { initialSeats: seats, finalSeats: final?.seats ?? 0, additionalMs: final?.ms ?? 0 };
    const execute = (request: QueuedRequest): void => {
      executed[at] = (executed[at] ?? 0) + 1;
      use(at, seats);
      time.after(takesMs + thinksMs, () => call(client, at, left - 1));
      time.after(takesMs, () => {
        use(at, -seats);
        set.end(request);
      });
    };
    const hand = typeof mode === 'string' ? [] : dealHand(hash, mode);
    const request = set.start({ flowSchema: 's', distinguisher: '', work, about: undefined }, hand);
    if (request.state === 'refused') refused += 1;
    else if (request.state === 'executing') execute(request);
    else request.onDispatch = () => time.after(0, () => execute(request));
  };
  for (const [at, client] of clients.entries()) {
    for (let thread = 0; thread < client.threads; thread += 1) {
      time.after((90 * thread + 20 * at) * moment, () => call(client, at, client.calls));
    }
  }
  time.runTo(durationMs);
  return { averages: used.map((integrator) => integrator.reset(time.now()).average), executed, refused };
}

/** Nobody gets more than it wants; what is left is divided among those that want more. */
function fairShares(demands: readonly number[], total: number): number[] {
  const shares = demands.map(() => 0);
  let left = total;
  const order = demands.map((demand, at) => ({ demand, at })).toSorted((a, b) => a.demand - b.demand);
  for (const [done, { demand, at }] of order.entries()) {
    const share = Math.min(demand, left / (demands.length - done));
    shares[at] = share;
    left -= share;
  }
  return shares;
}

const seatsWanted = ({ threads, takesMs, thinksMs, seats = 1 }: Client): number =>
  (threads * seats * takesMs) / (takesMs + thinksMs);

const second = 1_000;
const almost = second - moment;

function flow(hash: bigint, threads: number, calls: number, thinksMs: number, seats = 1): Client {
  return { hash, threads, calls, takesMs: second, thinksMs, seats };
}

const queues = (count: number, queueLengthLimit: number, handSize: number): QueueSetMode => {
  return { queues: count, queueLengthLimit, handSize };
};

/** The examples with which kube-apiserver tests its own queues: each client gets its fair share, within a margin. */
const published: readonly (Scenario & { readonly name: string; readonly margin: number })[] = [
  {
    name: 'one client',
    mode: queues(9, 8, 3),
    limit: 1,
    durationMs: 20 * second,
    margin: 0,
    clients: [flow(1001001001n, 5, 15, second)],
  },
  {
    name: 'two equal clients with a queue each',
    mode: queues(9, 8, 1),
    limit: 4,
    durationMs: 50 * second,
    margin: 0.01,
    clients: [flow(1001001001n, 8, 20, almost), flow(2002002002n, 8, 20, almost)],
  },
  {
    name: 'two equal clients with three queues each',
    mode: queues(8, 16, 3),
    limit: 4,
    durationMs: 60 * second,
    margin: 0.03,
    clients: [flow(400900100100n, 8, 30, almost), flow(300900200200n, 8, 30, almost)],
  },
  {
    name: 'two clients that both want more than half',
    mode: queues(9, 8, 1),
    limit: 4,
    durationMs: 40 * second,
    margin: 0.01,
    clients: [flow(1001001001n, 8, 20, second), flow(2002002002n, 7, 30, second / 2)],
  },
  {
    name: 'one client wants less than half',
    mode: queues(9, 6, 1),
    limit: 3,
    durationMs: 20 * second,
    margin: 0.01,
    clients: [flow(1001001001n, 4, 20, almost), flow(2002002002n, 2, 20, almost)],
  },
  {
    name: 'requests of different width',
    mode: queues(64, 13, 7),
    limit: 6,
    durationMs: 20 * second,
    margin: 0.155,
    clients: [flow(10010010010010n, 13, 10, almost), flow(20020020020020n, 7, 10, almost, 2)],
  },
  {
    name: 'requests that are wider than the limit',
    mode: queues(64, 35, 7),
    limit: 6,
    durationMs: 400 * second,
    margin: 0.35,
    clients: [40040040040040n, 50050050050050n, 60060060060060n, 70070070070070n]
      .map((hash) => flow(hash, 15, 21, almost, 2))
      .concat(flow(90090090090090n, 15, 21, almost, 7)),
  },
];

describe('published examples', () => {
  test.each(published)('$name', (scenario) => {
    const { averages, refused } = play(scenario);
    const fair = fairShares(scenario.clients.map(seatsWanted), scenario.limit);
    for (const [at, average] of averages.entries()) {
      const expected = fair[at] ?? 0;
      expect(Math.abs(average - expected) / expected).toBeLessThanOrEqual(scenario.margin + 1e-6);
    }
    expect(refused).toBe(0);
  });

  test.each([
    // think, final seats and time, clients, limit: average of each
    [second, 0, 0, 1, 1, 0.5],
    [second, 1, second, 1, 2, 0.5],
    [second, 1, second, 2, 2, 0.5],
    [second, 1, second, 2, 1, 0.25],
    [second, 2, second, 2, 2, 0.25],
  ])('think %d, final seats %d for %d, %d clients, limit %d', (thinksMs, seats, ms, count, limit, expected) => {
    const clients = [1_001_001_001n, 2_002_002_002n]
      .slice(0, count)
      .map((hash) => ({ hash, threads: 1, calls: 25, takesMs: second, thinksMs, final: { seats, ms } }));
    const { averages } = play({ mode: queues(9, 8, 3), limit, clients, durationMs: 24 * second });
    for (const average of averages) expect(average).toBeCloseTo(expected, 3);
  });
});

/** Where seats are scarce, they are free again when the round of the event loop is over. */
function end(set: QueueSet, time: SimulatedTime, ended: QueuedRequest | undefined): void {
  if (ended !== undefined) set.end(ended);
  time.runTo(time.now());
}

const work = { initialSeats: 1, finalSeats: 0, additionalMs: 0 };
const request = (flowSchema = 's', seats = 1) => {
  return { flowSchema, distinguisher: '', work: { ...work, initialSeats: seats }, about: undefined };
};

const nothing = (): void => undefined;
const unobserved: RequestObserver = {
  enqueued: nothing,
  dequeued: nothing,
  started: nothing,
  ended: nothing,
  seatsReleased: nothing,
  refused: nothing,
  notAccommodated: nothing,
};

describe('one request after the other', () => {
  test('without queues, what finds no seat is refused', () => {
    const reasons: RefusalReason[] = [];
    const time = new SimulatedTime();
    const set = new QueueSet({ mode: 'reject', limit: 2 }, time);
    const observer = { ...unobserved, refused: (reason: RefusalReason) => void reasons.push(reason) };
    const [first, , third] = [1, 2, 3].map(() => set.start({ ...request(), observer }, []));
    expect(third?.state).toBe('refused');
    end(set, time, first);
    expect(set.start(request(), []).state).toBe('executing');
    expect(reasons).toEqual(['concurrency-limit']);
  });

  test('exempt requests need no seats', () => {
    const set = new QueueSet({ mode: 'exempt', limit: 0 }, new SimulatedTime());
    expect([1, 2, 3].map(() => set.start(request(), []).state)).toEqual(['executing', 'executing', 'executing']);
    expect(set.totals.seatsInUse).toBe(3);
  });

  test('a full queue refuses while there is no seat', () => {
    const set = new QueueSet({ mode: queues(1, 1, 1), limit: 1 }, new SimulatedTime());
    const states = [1, 2, 3].map(() => set.start(request(), [0]).state);
    expect(states).toEqual(['executing', 'waiting', 'refused']);
  });

  test('a client whose request has ended finds room for the next one, though its seat is still held', () => {
    const set = new QueueSet({ mode: queues(1, 1, 1), limit: 1 }, new SimulatedTime());
    const [first, second_] = [set.start(request(), [0]), set.start(request(), [0])];
    set.end(first);
    expect([second_, set.start(request(), [0]), set.start(request(), [0])].map(({ state }) => state)).toEqual([
      'waiting',
      'waiting',
      'refused',
    ]);
  });

  test('one that waits can leave, and counts as refused', () => {
    const time = new SimulatedTime();
    const set = new QueueSet({ mode: queues(2, 5, 1), limit: 1 }, time);
    const first = set.start(request(), [0]);
    const [second_, third] = [set.start(request(), [1]), set.start(request(), [1])];
    set.cancel(second_);
    expect(second_.state).toBe('refused');
    expect(set.totals).toMatchObject({ waiting: 1, refused: 1, cancelled: 1, seatsWaiting: 1 });
    end(set, time, first);
    expect(third.state).toBe('executing');
  });

  test('one that is wider than the limit runs alone', () => {
    const time = new SimulatedTime();
    const set = new QueueSet({ mode: queues(2, 5, 1), limit: 2 }, time);
    const first = set.start(request(), [0]);
    const wide = set.start(request('s', 5), [1]);
    expect(wide.state).toBe('waiting');
    end(set, time, first);
    expect(wide.state).toBe('executing');
    expect(set.start(request(), [0]).state).toBe('waiting');
  });

  test('final seats stay taken for their time', () => {
    const time = new SimulatedTime();
    const set = new QueueSet({ mode: queues(2, 5, 1), limit: 2 }, time);
    const writing = { ...request(), work: { initialSeats: 1, finalSeats: 2, additionalMs: 100 } };
    const first = set.start(writing, [0]);
    const next = set.start(request(), [1]);
    set.end(first);
    expect([next.state, set.isIdle]).toEqual(['waiting', false]);
    time.runTo(99);
    expect(next.state).toBe('waiting');
    time.runTo(100);
    expect(next.state).toBe('executing');
  });

  test.each([
    ['while the machine has no time', true, 3],
    ['while seats are scarce', false, 1],
  ])('%s, seats of requests that have ended are not free yet', (_, holdsSeats, limit) => {
    const time = new SimulatedTime();
    time.holdsSeats = holdsSeats;
    const set = new QueueSet({ mode: queues(2, 5, 1), limit }, time);
    const all = Array.from({ length: limit }, () => set.start(request(), [0]));
    for (const each of all) set.end(each);
    const next = set.start(request(), [1]);
    expect(next.state).toBe('waiting');
    time.runTo(0);
    expect(next.state).toBe('executing');
  });

  test('otherwise they are free at once', () => {
    const time = new SimulatedTime();
    const set = new QueueSet({ mode: queues(2, 5, 1), limit: 3 }, time);
    set.end(set.start(request(), [0]));
    expect(set.totals.seatsInUse).toBe(0);
  });

  test('surplus queues empty before they go', () => {
    const time = new SimulatedTime();
    const set = new QueueSet({ mode: queues(4, 5, 1), limit: 1 }, time);
    const first = set.start(request(), [3]);
    const second_ = set.start(request(), [2]);
    set.configure({ mode: queues(1, 5, 1), limit: 1 });
    expect(set.queues.length).toBe(2);
    end(set, time, first);
    expect(second_.state).toBe('executing');
    end(set, time, second_);
    expect(set.queues.map(({ index }) => index)).toEqual([0]);
  });

  test('progress is set back before numbers lose digits, and nobody notices', () => {
    const time = new SimulatedTime();
    let epochs = 0;
    const set = new QueueSet({ mode: queues(2, 50, 1), limit: 1 }, time, {
      observer: { epochAdvanced: () => (epochs += 1) },
    });
    let running = set.start(request(), [0]);
    for (let at = 1; at <= 40; at += 1) {
      const [a, b] = [set.start(request(), [0]), set.start(request(), [1])];
      time.runTo(at * 2 ** 31);
      end(set, time, running);
      const next = [a, b].find(({ state }) => state === 'executing');
      running = next ?? running;
    }
    expect(epochs).toBeGreaterThan(0);
    expect(set.r).toBeLessThan(2 ** 51);
  });
});

/** Deeds of random clients, each at a later time. */
const deed = fc.record({
  kind: fc.constantFrom('start', 'start', 'start', 'end', 'cancel', 'limit'),
  flow: fc.nat(5),
  seats: fc.integer({ min: 1, max: 4 }),
  pick: fc.nat(50),
  ms: fc.nat(20),
});

describe('whatever happens', () => {
  test('no seat is idle while a request waits that it fits, and counts add up', () => {
    const property = fc.property(fc.array(deed, { maxLength: 80 }), fc.boolean(), (deeds, holds) => {
      const time = new SimulatedTime();
      time.holdsSeats = holds;
      const mode = { queues: 8, queueLengthLimit: 3, handSize: 2 };
      let limit = 4;
      const set = new QueueSet({ mode, limit }, time);
      const all: QueuedRequest[] = [];
      for (const { kind, flow: at, seats, pick, ms } of deeds) {
        time.runTo(time.now() + ms);
        const chosen = all[pick % Math.max(all.length, 1)];
        if (kind === 'start') all.push(set.start(request(`f${at}`, seats), dealHand(BigInt(at * 7_919), mode)));
        else if (kind === 'limit') set.configure({ mode, limit: (limit = 1 + (pick % 6)) });
        else if (chosen !== undefined) set[kind](chosen);
        time.runTo(time.now());
        const [executing, waiting] = (['executing', 'waiting'] as const).map((state) =>
          all.filter((each) => each.state === state),
        );
        const sum = (requests: readonly QueuedRequest[] = []): number =>
          requests.reduce((n, each) => n + each.seats, 0);
        expect(set.totals).toMatchObject({ executing: executing?.length, waiting: waiting?.length });
        expect(set.totals).toMatchObject({ seatsInUse: sum(executing), seatsWaiting: sum(waiting) });
        const free = limit - set.totals.seatsInUse;
        if (free >= 4) expect(waiting).toEqual([]);
        if (executing?.length === 0) expect(waiting).toEqual([]);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('every request that waits is served at last, whatever others send', () => {
    const property = fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 5, max: 60 }), (limit, threads) => {
      const greedy = { hash: 12_345_678_901n, threads, calls: 400, takesMs: 10, thinksMs: 0 };
      const modest = { hash: 98_765_432_109n, threads: 1, calls: 50, takesMs: 10, thinksMs: 0 };
      const mode = { queues: 64, queueLengthLimit: 100, handSize: 6 };
      const { executed } = play({ mode, limit, clients: [greedy, modest], durationMs: 50 * 10 * 8 });
      expect(executed[1]).toBe(50);
    });
    fc.assert(property, { numRuns: 30 });
  });

  test('flows with a queue each get fair shares, with or without strain', () => {
    const threads = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 });
    const property = fc.property(threads, fc.integer({ min: 2, max: 8 }), fc.boolean(), (counts, limit, holdsSeats) => {
      const mode = { queues: 5, queueLengthLimit: 100, handSize: 1 };
      const clients = counts.map((count, at) => {
        return { hash: BigInt(at), threads: count, calls: 10_000, takesMs: 50, thinksMs: 0 };
      });
      const { averages } = play({ mode, limit, clients, durationMs: 20_000, holdsSeats });
      const fair = fairShares(clients.map(seatsWanted), limit);
      for (const [at, average] of averages.entries()) {
        const expected = fair[at] ?? 0;
        expect(Math.abs(average - expected) / expected).toBeLessThan(0.06);
      }
    });
    fc.assert(property, { numRuns: 40 });
  });
});
