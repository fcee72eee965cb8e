import { alternating, podsAgainst, repeated } from '../against.ts';
import { podsPath } from '../pod.ts';
import { cpuFigure, type Row } from './row.ts';

interface Case {
  readonly row: string;
  readonly what: string;
  readonly path: string;
  readonly count: number;
  readonly pages: boolean;
  readonly accept?: string;
  readonly encoding?: string;
  /** A list of fewer pods, to compare with. */
  readonly against?: { readonly what: string; readonly path: string };
}

const all = { path: `${podsPath}?resourceVersion=0`, count: 20, pages: false };
const protobuf = 'application/vnd.kubernetes.protobuf';

const cases: readonly Case[] = [
  {
    row: 'list',
    what: 'list of all pods',
    ...all,
    against: { what: `list of ${podsAgainst} pods`, path: all.path },
  },
  { row: 'list-protobuf', what: 'list of all pods in protobuf', ...all, accept: protobuf },
  { row: 'list-gzip', what: 'list of all pods in gzip', ...all, encoding: 'gzip' },
  {
    row: 'list-pages',
    what: 'page of 500 pods',
    path: `${podsPath}?limit=500`,
    count: 100,
    pages: true,
    against: { what: 'page of 100 pods', path: `${podsPath}?limit=100` },
  },
];

export const listRows: readonly Row[] = cases.map(({ row, what, count, against, ...asked }) => ({
  name: row,
  async onPods(session) {
    await session.createPods();
    const job = { method: 'GET', ...asked, names: 1, concurrency: 1 };
    await session.requests({ ...job, from: 0, count: Math.ceil(count / 10) });
    return [cpuFigure(what, await session.requests({ ...job, from: 0, count }))];
  },
  ...(against === undefined ? {} : { against: listsOf(against) }),
}));

function listsOf({ what, path }: NonNullable<Case['against']>): NonNullable<Row['against']> {
  const job = { method: 'GET', path, names: 1, concurrency: 1 };
  return alternating(what, async (session) => repeated(session, job), { warmUp: 1000, pairs: 60, requests: 20 });
}
