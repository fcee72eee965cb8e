import { alternating, podsAgainst, repeated } from '../against.ts';
import type { RequestJob } from '../load.ts';
import type { Turn } from '../alternation.ts';
import { podsPath } from '../pod.ts';
import type { Session } from '../session.ts';
import { cpuFigure, type Row } from './row.ts';

export const concurrency = 16;
const podPath = `${podsPath}/{name}`;

export const createRow: Row = {
  name: 'create',
  onPods: async (session) => [cpuFigure('create pod', await session.createPods())],
  against: alternating('create pod', creates),
};

/** Only against another checkout: the pods of the other rows stay. */
export const deleteRow: Row = {
  name: 'delete',
  against: alternating('delete pod', async (session) => {
    const path = `${podPath}?gracePeriodSeconds=0`;
    const job = { method: 'DELETE', path, names: Number.MAX_SAFE_INTEGER, concurrency };
    const { send: prepare } = await creates(session);
    return { ...repeated(session, job), prepare };
  }),
};

async function creates(session: Session): Promise<Turn> {
  const body = await session.podBody();
  return repeated(session, { method: 'POST', path: podsPath, body, names: Number.MAX_SAFE_INTEGER, concurrency });
}

export interface RequestCase {
  readonly row: string;
  readonly what: string;
  readonly count: number;
  readonly request: (
    session: Session,
  ) => Promise<Pick<RequestJob, 'method' | 'path' | 'contentType' | 'accept' | 'body'>>;
}

const patch = { metadata: { annotations: { 'example.com/touched': '{number}' } } };
const strategicPatch = {
  ...patch,
  spec: { containers: [{ name: 'web', image: 'registry.example.com/shop/web:1.42.{number}' }] },
};

export const requestCases: readonly RequestCase[] = [
  { row: 'get', what: 'get pod', count: 20_000, request: async () => ({ method: 'GET', path: podPath }) },
  {
    row: 'get-cached',
    what: 'get pod, resourceVersion=0',
    count: 20_000,
    request: async () => ({ method: 'GET', path: `${podPath}?resourceVersion=0` }),
  },
  {
    row: 'put',
    what: 'put pod',
    count: 5000,
    // Labels of existing pods may change, and the number makes each put a change.
    request: async (session) => ({
      method: 'PUT',
      path: podPath,
      body: (await session.podBody()).replace('"tier":"frontend"', '"tier":"frontend-{number}"'),
    }),
  },
  {
    row: 'merge-patch',
    what: 'merge patch of a pod',
    count: 5000,
    request: async () => ({
      method: 'PATCH',
      path: podPath,
      contentType: 'application/merge-patch+json',
      body: JSON.stringify(patch),
    }),
  },
  {
    row: 'strategic-patch',
    what: 'strategic merge patch of a pod',
    count: 5000,
    request: async () => ({
      method: 'PATCH',
      path: podPath,
      contentType: 'application/strategic-merge-patch+json',
      body: JSON.stringify(strategicPatch),
    }),
  },
  {
    row: 'apply',
    what: 'apply to a pod',
    count: 5000,
    request: async () => ({
      method: 'PATCH',
      path: `${podPath}?fieldManager=bench-apply&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...strategicPatch }),
    }),
  },
  {
    row: 'apply-unchanged',
    what: 'apply to a pod that changes nothing',
    count: 5000,
    request: async () => ({
      method: 'PATCH',
      path: `${podPath}?fieldManager=bench-unchanged&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { labels: { 'example.com/applied': 'true' } } }),
    }),
  },
];

export const requestRows: readonly Row[] = requestCases.map(requestRow);

export function requestRow(each: RequestCase): Row {
  return {
    name: each.row,
    async onPods(session) {
      await session.createPods();
      const { what, count } = each;
      const job = { ...(await each.request(session)), names: session.pods, concurrency };
      const warmUp = Math.floor(count / 5);
      await session.requests({ ...job, from: 0, count: warmUp });
      return [cpuFigure(what, await session.requests({ ...job, from: warmUp, count }))];
    },
    against: alternating(each.what, async (session) =>
      repeated(session, { ...(await each.request(session)), names: podsAgainst, concurrency }),
    ),
  };
}
