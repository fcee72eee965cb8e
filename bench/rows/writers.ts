import type { Figure, Row } from './row.ts';

const cases = [
  { writers: 1, count: 500 },
  { writers: 64, count: 6000 },
  { writers: 512, count: 10_000 },
];

/** Durable creates of small objects: time between acknowledged writes. */
export const writersRow: Row = {
  name: 'writers',
  async onFreshServer(session): Promise<readonly Figure[]> {
    await session.namespaceExists();
    const figures: Figure[] = [];
    for (const { writers, count } of cases) {
      const body = JSON.stringify({ metadata: { name: `w${writers}-{number}` }, data: { a: 'x'.repeat(200) } });
      const path = '/api/v1/namespaces/default/configmaps';
      const job = { method: 'POST', path, body, names: 1, concurrency: writers };
      const { perSecond, p50Ms, p99Ms } = await session.requests({ ...job, from: 0, count });
      const details = { perSecond, p50Ms, p99Ms };
      figures.push({ name: `create, ${writers} writers`, unit: 'us', value: 1_000_000 / perSecond, details });
    }
    return figures;
  },
};
