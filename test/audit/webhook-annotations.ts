import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json.ts';
import { basicCases } from '../webhooks/cases/basic.ts';
import { playCases, type PlayOptions } from '../webhooks/play.ts';

/** Annotations of every event, and kube-apiserver's for slow requests. */
const common = /^(?:authorization|apiserver\.latency)\.k8s\.io\//;
/** Cases that say something of annotations. */
const telling = /patch|unknown field|after the other|again|third time|annotations|open|ignored/;
const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Plays the cases of webhooks on any server, and reads the annotations of their writes from `file`. */
export async function playWebhookAnnotations(options: PlayOptions, file: string): Promise<readonly JsonObject[]> {
  await playCases({ ...options, isPlayed: (each) => basicCases.includes(each) && telling.test(each.name) });
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const told = lines.map((line) => JSON.parse(line) as JsonObject).flatMap(toldOf);
  // Several cases are played at a time.
  return told.toSorted((a, b) => caseOf(a) - caseOf(b));
}

function caseOf({ requestURI }: JsonObject): number {
  return Number(/\/case-(\d+)\//.exec(textOf(requestURI))?.[1]);
}

function toldOf({ stage, verb, requestURI, annotations, objectRef }: JsonObject): readonly JsonObject[] {
  const isWrite = stage === 'ResponseComplete' && typeof verb === 'string' && writes.has(verb);
  const inCase = isJsonObject(objectRef) && /^case-\d+$/.test(textOf(objectRef['namespace']));
  if (!isWrite || !inCase) return [];
  const told = Object.entries(isJsonObject(annotations) ? annotations : {}).filter(([key]) => !common.test(key));
  return [{ verb, requestURI: textOf(requestURI), annotations: Object.fromEntries(told) }];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
