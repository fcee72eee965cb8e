import { inParallel } from '../../in-parallel.ts';
import { RequestSender } from '../../recorded-requests.ts';
import type { TestServer } from '../../server-fixture.ts';
import { definitions, objects, policy, refused, requests } from './requests.ts';

/** Digests of responses by request. */
export type Played = ReadonlyMap<string, string>;

/** Not all at once: priority and fairness would refuse some. */
const requestsAtOnce = 50;

/** Sends all requests to a fresh server. */
export async function play(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<Played> {
  using sender = await RequestSender.connect(server, 'methods');
  for (const prepared of [...definitions, ...objects, ...policy]) await sender.make(prepared);
  await sender.make(refused, 422);
  const digests = new Map<string, string>();
  await inParallel(requests, requestsAtOnce, async (asked) =>
    digests.set(asked.name, digest(await sender.send(asked))),
  );
  return new Map(requests.map(({ name }) => [name, digests.get(name) ?? '']));
}

/** `405 application/json {"kind":"Status",...}`; of objects what they are, of a watch its events. */
function digest({ headers, bytes }: Awaited<ReturnType<RequestSender['send']>>): string {
  const shownHeaders = ['content-type', 'allow', 'accept-post', 'accept-patch'].flatMap((name) => headers[name] ?? []);
  return [headers[':status'], ...shownHeaders, linesOf(bytes.toString()).map(lineDigest).join(' ')].join(' ').trim();
}

/** Indented bodies are one line too. */
function linesOf(text: string): readonly string[] {
  return text.startsWith('{\n') ? [JSON.stringify(JSON.parse(text))] : text.split('\n');
}

type Line = Partial<Record<'kind' | 'type' | 'apiVersion', string>> & {
  readonly metadata?: { readonly name?: string };
  readonly object?: Line;
};

function lineDigest(line: string): string {
  if (!line.startsWith('{')) return line;
  // Bodies and events of an API: only names are read from them.
  const value = JSON.parse(line) as Line;
  const { kind, apiVersion, metadata } = value.object ?? value;
  if (kind === 'Status')
    return line.replace(/"uid":"[^"]*"/, '"uid":"<uid>"').replace(/\bnamed-\w{5}\b/g, 'named-<suffix>');
  return [...(value.object === undefined ? [] : [value.type]), apiVersion, kind, metadata?.name ?? ''].join(' ');
}
