import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { partsOf } from '../../../src/api/json/json-raw.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { playCases as playPolicies, type PolicySuite } from '../../policies/play.ts';
import { suites as policySuites } from '../../policies/suites.ts';
import type { WebhookCase } from '../../webhooks/case-parts.ts';
import { basicCases } from '../../webhooks/cases/basic.ts';
import { playCases as playWebhooks, type PlayOptions } from '../../webhooks/play.ts';
import { annotatingPolicies, mutatingPolicies } from './policy-cases.ts';
import { annotatingWebhooks } from './webhook-cases.ts';

/** Cases that are played on a server of their own. */
export interface AnnotationSuite {
  readonly cases: readonly { readonly name: string }[];
  readonly play: (options: PlayOptions) => Promise<unknown>;
}

/** What the writes of a case have left. */
export interface AnnotatedCase {
  readonly name: string;
  readonly events: readonly JsonObject[];
}

/** Annotations of every event, and kube-apiserver's for slow requests. */
const common = /^(?:authorization|apiserver\.latency)\.k8s\.io\//;
/** Names of basic cases that say something of annotations. */
const telling = /patch|unknown field|after the other|again|third time|annotations|open|ignored/;
const failuresKey = 'validation.policy.admission.k8s.io/validation_failure';
const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

const ofWebhooks = (cases: readonly WebhookCase[]): AnnotationSuite => ({
  cases,
  play: (options) => playWebhooks({ ...options, cases }),
});
const ofPolicies = (suite: PolicySuite | undefined, cases: PolicySuite['cases']): AnnotationSuite => ({
  cases,
  play: async (options) => {
    if (suite === undefined) throw new Error('no such suite');
    const results = await playPolicies({ ...suite, cases }, options);
    for (const [index, { name, answers }] of results.entries()) {
      const refused = answers.slice(0, answers.length - (cases[index]?.steps.length ?? 0));
      if (refused.length > 0) throw new Error(`${name}: ${JSON.stringify(refused)}`);
    }
  },
});

/** By the name of their records. */
export const annotationSuites: { readonly [name: string]: AnnotationSuite } = {
  webhooks: ofWebhooks([...basicCases.filter(({ name }) => telling.test(name)), ...annotatingWebhooks]),
  policies: ofPolicies(policySuites['recorded'], annotatingPolicies),
  'mutating policies': ofPolicies(policySuites['recorded-mutating'], mutatingPolicies),
};

/** Plays the cases on any server, and reads the annotations of their writes from `file`, by case. */
export async function playAnnotations(
  { cases, play }: AnnotationSuite,
  options: PlayOptions,
  file: string,
): Promise<readonly AnnotatedCase[]> {
  await play(options);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line) as JsonObject).filter(isWrite);
  // Several cases are played at a time.
  return cases.map(({ name }, index) => ({
    name,
    events: events.filter(({ objectRef }) => namespaceOf(objectRef) === `case-${index}`).map(toldOf),
  }));
}

function isWrite({ stage, verb }: JsonObject): boolean {
  return stage === 'ResponseComplete' && typeof verb === 'string' && writes.has(verb);
}

function namespaceOf(objectRef: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(objectRef) && objectRef['resource'] !== 'namespaces' ? objectRef['namespace'] : undefined;
}

function toldOf({ verb = null, annotations }: JsonObject): JsonObject {
  const shown = Object.entries(isJsonObject(annotations) ? annotations : {})
    .filter(([key]) => !common.test(key))
    .map(([key, value]) => [key, shortened(key === failuresKey ? inOrder(value) : value)]);
  return { verb, annotations: Object.fromEntries(shown) as JsonObject };
}

/** kube-apiserver takes policies and bindings in any order. */
function inOrder(failures: JsonValue): JsonValue {
  if (typeof failures !== 'string') return failures;
  const bindingOf = (failure: string): string => (JSON.parse(failure) as { readonly binding: string }).binding;
  return `[${partsOf(failures)
    .toSorted((a, b) => bindingOf(a).localeCompare(bindingOf(b)))
    .join(',')}]`;
}

const maxShownLength = 2_000;

function shortened(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || value.length <= maxShownLength) return value;
  const hash = createHash('sha256').update(value).digest('hex');
  return `${value.slice(0, 200)} ... ${value.slice(-40)} (${Buffer.byteLength(value)} bytes, ${hash})`.toWellFormed();
}
