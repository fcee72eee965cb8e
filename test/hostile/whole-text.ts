import type { HostileClient } from './hostile-client.ts';

/** The whole text of a response. */
export async function wholeText(client: HostileClient, path: string): Promise<string> {
  const stream = client.session.request({ ':method': 'GET', ':path': path });
  stream.setEncoding('utf8');
  let all = '';
  for await (const chunk of stream as AsyncIterable<string>) all += chunk;
  return all;
}
