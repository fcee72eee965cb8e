import { readResponses, writeResponses } from './recording.ts';

/** Digests of the answers to a series of requests, such as those that follow from a seed. */
export type Digests = readonly string[];

/** By the name of the series. */
export function readDigests(subject: string, name: string): ReadonlyMap<string, Digests> {
  return new Map([...readResponses<string>(subject, name)].map(([series, text]) => [series, text.split(' ')]));
}

export function writeDigests(
  subject: string,
  name: string,
  digests: Iterable<readonly [series: string, digests: Digests]>,
): void {
  writeResponses(
    subject,
    name,
    [...digests].map(([series, each]) => [series, each.join(' ')]),
  );
}
