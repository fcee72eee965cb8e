import { alternating, repeated } from '../against.ts';
import type { RequestJob } from '../load.ts';
import { podsPath } from '../pod.ts';
import { protobufType } from '../protobuf-body.ts';
import type { Session } from '../session.ts';
import { concurrency, type RequestCase, requestCases, requestRow } from './requests.ts';
import { cpuFigure, type Row } from './row.ts';

const rows: readonly string[] = ['get', 'get-cached', 'put', 'merge-patch', 'strategic-patch'];
const what = 'create pod in protobuf';
const warmUp = 1000;
const count = 5000;

/** Requests of other rows, with bodies and answers in protobuf; patches have no body in it. */
export const protobufRows: readonly Row[] = [
  ...requestCases.filter(({ row }) => rows.includes(row)).map((each) => requestRow(inProtobuf(each))),
  {
    name: 'create-protobuf',
    async onPods(session) {
      await session.createPods();
      const job = await createInProtobuf(session);
      await session.requests({ ...job, from: 0, count: warmUp });
      return [cpuFigure(what, await session.requests({ ...job, from: warmUp, count }))];
    },
    against: alternating(what, async (session) => repeated(session, await createInProtobuf(session))),
  },
];

export function inProtobuf({ row, what: name, request, ...rest }: RequestCase): RequestCase {
  return {
    ...rest,
    row: `${row}-protobuf`,
    what: `${name} in protobuf`,
    async request(session) {
      const job = await request(session);
      const isObject = job.body !== undefined && job.contentType === undefined;
      return { ...job, accept: protobufType, ...(isObject ? { contentType: protobufType } : {}) };
    },
  };
}

/** Pods that no other row has created. */
export async function createInProtobuf(session: Session): Promise<Omit<RequestJob, 'kind' | 'from' | 'count'>> {
  const body = (await session.podBody()).replace('"name":"{name}"', '"name":"protobuf-{name}"');
  const form = { accept: protobufType, contentType: protobufType };
  return { method: 'POST', path: podsPath, ...form, body, names: Number.MAX_SAFE_INTEGER, concurrency };
}
