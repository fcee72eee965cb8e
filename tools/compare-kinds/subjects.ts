import type { JsonObject } from '../../src/api/json/json.ts';
import { pick } from '../random-objects/random.ts';
import type { Base } from '../walk-schemas/bases.ts';
import type { WalkRequest } from '../walk-schemas/ways.ts';
import type { Question, Subject } from './question.ts';
import { emptyValue, limitValue, oddValue, plausibleValue } from './values.ts';
import { pickPlace, placesIn, targetsOf, valueAt, written } from './writes.ts';

const json = 'application/json';

/** One to three mistakes at a time. */
const mistakes: Subject = {
  isEnriched: true,
  *questions(base, random, count) {
    const targets = targetsOf(base);
    for (let made = 0; made < count; made += 1) {
      const target = pick(random, targets);
      const places = placesIn(target);
      const changes = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        const place = pickPlace(random, places, base.object);
        return { place, value: oddValue(random, place) };
      });
      yield written(base, target, changes);
    }
  },
};

/** Lengths, numbers and counts at limits. */
const limits: Subject = {
  isEnriched: false,
  *questions(base, random, count) {
    const targets = targetsOf(base);
    for (let made = 0; made < count;) {
      const target = pick(random, targets);
      const place = pickPlace(random, placesIn(target), base.object);
      const value = limitValue(random, place);
      if (value === undefined && random() < 0.9) continue;
      made += 1;
      yield written(base, target, [{ place, value }]);
    }
  },
};

/** Updates of one field at a time. */
const changes: Subject = {
  isEnriched: true,
  *questions(base, random, count) {
    const target = targetsOf(base).find(({ verb, subresource }) => verb === 'update' && subresource === '');
    if (target === undefined) return;
    const places = placesIn(target).filter(({ path }) => path[0] !== 'metadata');
    const present = places.filter(({ path }) => valueAt(base.object, path) !== undefined);
    for (const place of present) {
      for (const value of [undefined, plausibleValue(random, place)]) yield written(base, target, [{ place, value }]);
    }
    for (let made = 0; made < count && places.length > 0; made += 1) {
      const place = pick(random, places);
      yield written(base, target, [{ place, value: plausibleValue(random, place) }]);
    }
  },
};

/** Values that are written empty, beside what may be wrong. */
const empties: Subject = {
  isEnriched: true,
  *questions(base, random, count) {
    const targets = targetsOf(base);
    for (let made = 0; made < count; made += 1) {
      const target = pick(random, targets);
      const places = placesIn(target).filter(({ path }) => path[0] !== 'metadata' || random() < 0.2);
      if (places.length === 0) continue;
      const changes = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => {
        const place = pickPlace(random, places, base.object);
        return { place, value: index === 2 ? oddValue(random, place) : emptyValue(random, place) };
      });
      yield written(base, target, changes);
    }
  },
};

const long = (length: number): string => 'a'.repeat(length);
const nameTexts: readonly string[] = [
  '',
  'a',
  'A',
  'a_b',
  'a.b',
  'a..b',
  '-a',
  'a-',
  '.',
  '..',
  '.a',
  'a.',
  'a/b',
  'a%b',
  'é',
  'a b',
  'a:b',
  '1',
  '1a',
  'v1.',
  '10.0.0.1',
  '::1',
  'system:a',
  'a:b:c',
  'a.example.com',
  'A.example.com',
  long(52),
  long(53),
  long(63),
  long(64),
  long(243),
  long(253),
  long(254),
  `${long(63)}.a`,
  `${long(64)}.a`,
  'é'.repeat(127),
  long(300),
  'a\n',
  ' a',
];

/** Names, and names to complete. */
const names: Subject = {
  isEnriched: false,
  *questions(base) {
    const { metadata, ...rest } = base.object;
    const post = (given: JsonObject): Question => ({
      key: `${base.label} POST ${JSON.stringify(given).slice(0, 100)}`,
      request: () => ({
        method: 'POST',
        path: `${base.collection}?dryRun=All`,
        contentType: json,
        body: JSON.stringify({ ...rest, metadata: given }),
      }),
    });
    if (metadata === undefined) return;
    yield post({});
    for (const text of nameTexts) {
      yield post({ name: text });
      yield post({ generateName: text });
      yield post({ name: 'a', generateName: text });
      yield post({ namespace: text, name: 'a' });
    }
    yield post({ name: null, generateName: null });
    for (const target of targetsOf(base).filter(({ verb }) => verb === 'update')) {
      const place = placesIn(target).find(({ path }) => path.join('.') === 'metadata.generateName');
      for (const value of ['A', 'a/b', long(300)]) if (place) yield written(base, target, [{ place, value }]);
      const held = placesIn(target).find(({ path }) => path.join('.') === 'metadata.finalizers');
      if (held) yield written(base, target, [{ place: held, value: ['a'] }]);
    }
  },
};

const commonLabels = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'name',
  'namespace',
  'kind',
  'x',
  '',
];

/** Field selectors: every field that some kind might know. */
const selectors: Subject = {
  isEnriched: false,
  *questions(base, random) {
    if (!base.resource.verbs.includes('list')) return;
    const target = targetsOf(base)[0];
    if (target === undefined) return;
    const paths = new Set([...commonLabels, ...foreignLabels]);
    for (const { path } of placesIn(target)) {
      if (path.length < 4 && path.every((step) => typeof step === 'string')) paths.add(path.join('.'));
    }
    for (const { path } of placesIn({ ...target, verb: 'create' })) if (path[0] === 'status') paths.add(path.join('.'));
    for (const path of paths) {
      const value = pick(random, ['x', '', 'true', '1', 'False']);
      const operator = pick(random, ['=', '==', '!=']);
      const selector = encodeURIComponent(`${path}${operator}${value}`);
      yield questionOf(base, 'GET', `?fieldSelector=${selector}`);
      if (random() < 0.3) yield questionOf(base, 'DELETE', `?dryRun=All&fieldSelector=${selector}`);
    }
    for (const text of oddSelectors) {
      yield questionOf(base, 'GET', `?fieldSelector=${encodeURIComponent(text)}`);
      yield questionOf(base, 'GET', `?labelSelector=${encodeURIComponent(text)}`);
    }
  },
};

const foreignLabels = [
  'spec.nodeName',
  'spec.unschedulable',
  'status.phase',
  'status.podIP',
  'status.replicas',
  'status.successful',
  'type',
  'involvedObject.kind',
  'involvedObject.name',
  'regarding.kind',
  'reason',
  'source',
  'reportingComponent',
  'spec.host',
  'spec.signerName',
  'spec.podName',
  'spec.nodeName',
  'spec.driver',
  'spec.type',
  'spec.clusterIP',
  'spec.schedulerName',
];
const oddSelectors = [
  '=',
  'a',
  '!a',
  'a=b=c',
  'metadata.name=a,metadata.name=b',
  ',',
  'metadata.name',
  'metadata.name in (a)',
  'a in (',
  'metadata.name=a\\,b',
];

function questionOf({ label, collection }: Base, method: string, query: string): Question {
  const request: WalkRequest = { method, path: `${collection}${query}`, contentType: json, body: '' };
  return { key: `${label} ${method} ${decodeURIComponent(query)}`, request: () => request };
}

export const subjects: { readonly [name: string]: Subject } = { mistakes, limits, changes, empties, names, selectors };
