import { adminTls } from '../../server-fixture.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, Reply } from '../hostile-client.ts';
import {
  endHeaders,
  endStream,
  frame,
  framesIn,
  frameTypes,
  literal,
  preface,
  RawConnection,
  requestHeaders,
} from '../raw-client.ts';
import { configMap, namespaced } from '../text-bodies.ts';

/** A little less than the window of a connection. */
const bodyBytes = 65_000;
const body = JSON.stringify(configMap({ data: { a: '' } })).replace('""', JSON.stringify('a'.repeat(bodyBytes - 200)));
const path = `${namespaced('configmaps')}?dryRun=All`;
const dataFrames = Buffer.concat(
  [...Buffer.from(body)].map((byte) => frame({ type: frameTypes.data, stream: 1, payload: Buffer.from([byte]) })),
);

/** A body in frames of a byte, on several connections at once. */
async function send(
  { url, kubeconfigPath }: HostileClient,
  { connections, isKnown }: { readonly connections: number; readonly isKnown: boolean },
): Promise<readonly Reply[]> {
  const { ca, cert, key } = await adminTls(kubeconfigPath);
  const tls = isKnown ? { ca, cert, key } : { ca };
  return await Promise.all(
    Array.from({ length: connections }, async () => {
      using connection = await RawConnection.open({ url, tls }, 'h2');
      connection.send(preface());
      const headers = Buffer.concat([requestHeaders(path, 'POST'), literal('content-type', 'application/json')]);
      connection.send(frame({ type: frameTypes.headers, flags: endHeaders, stream: 1, payload: headers }));
      connection.send(dataFrames);
      connection.send(frame({ type: frameTypes.data, flags: endStream, stream: 1 }));
      const isAnswered = (): boolean => framesIn(connection.received).some(({ type }) => type === frameTypes.headers);
      return { code: Number(await connection.until(isAnswered, 30_000)), bytes: 0, text: '' };
    }),
  );
}

/** Clients whose bodies come in as many frames as possible; 1 is an answer. */
export const frameCases: readonly HostileCase[] = [
  { name: 'frames: a body of frames of a byte', connections: 1, isKnown: true },
  { name: 'frames: 20 bodies of frames of a byte', connections: 20, isKnown: true },
  { name: 'frames: a body of frames of a byte, without credentials', connections: 1, isKnown: false },
].map(({ name, ...how }) => ({
  name,
  bodyBytes: how.connections * bodyBytes,
  codes: [1],
  send: (client) => send(client, how),
}));
