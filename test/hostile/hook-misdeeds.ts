import type { ServerResponse } from 'node:http';

/** What a webhook does when it is called. */
export type HookMisdeed = (response: ServerResponse, review: Review) => void;

export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request?: { readonly uid: string; readonly objects?: readonly object[] };
}

const chunk = 'x'.repeat(64 * 1024);
const json = { 'content-type': 'application/json' };

/** An answer that allows the request, with more in it. */
function answer(response: ServerResponse, { apiVersion, kind, request }: Review, more: object): void {
  const reply = { apiVersion, kind, response: { uid: request?.uid, allowed: true, ...more } };
  response.writeHead(200, json).end(JSON.stringify(reply));
}

const patching = (operations: readonly object[]): object => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const add = (path: string, value: unknown): object => ({ op: 'add', path, value });

/** Misdeeds of any server that is asked for JSON. */
const broken: { readonly [name: string]: HookMisdeed } = {
  'no answer': () => undefined,
  'an answer that drips': (response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  },
  'an answer without end': (response) => {
    response.writeHead(200, json);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  'the end of a connection': (response) => response.socket?.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { ...json, 'content-length': 1000 }).write('{"kind":');
    setTimeout(() => response.socket?.destroy(), 20);
  },
  'a redirect to itself': (response) => response.writeHead(302, { location: '?again' }).end(),
  'no JSON': (response) => response.writeHead(200, json).end(Buffer.alloc(2_900_000, 0xff)),
  'a million lists in lists': (response) => response.writeHead(200, json).end('['.repeat(1_000_000)),
  'a million empty objects': (response) => response.writeHead(200, json).end(`[${'{},'.repeat(900_000)}{}]`),
  'an error of 2.9 MB': (response) => response.writeHead(500).end('a'.repeat(2_900_000)),
};

const answers: { readonly [name: string]: HookMisdeed } = {
  'a message of 2.9 MB': (response, review) =>
    answer(response, review, { allowed: false, status: { message: 'a'.repeat(2_900_000), code: 403 } }),
  'a patch of 2.9 MB of nothing': (response, review) =>
    answer(response, review, { patchType: 'JSONPatch', patch: 'IA=='.repeat(720_000) }),
  'a patch of 100,000 operations': (response, review) =>
    answer(response, review, patching(many(100_000, () => add('/data/a', '')))),
  'a patch of 9,000 insertions': (response, review) =>
    answer(
      response,
      review,
      patching([add('/metadata/finalizers', []), ...many(9_000, () => add('/metadata/finalizers/0', 'a/b'))]),
    ),
  'copies that double': (response, review) =>
    answer(response, review, patching(many(27, () => ({ op: 'copy', from: '/data', path: '/data/b' })))),
  '150,000 labels': (response, review) =>
    answer(
      response,
      review,
      patching([add('/metadata/labels', Object.fromEntries(many(150_000, (n) => [`a${n}`, ''])))]),
    ),
  '14,000 warnings': (response, review) =>
    answer(response, review, { warnings: many(14_000, (n) => `${n} `.repeat(40)) }),
  '100,000 audit annotations': (response, review) =>
    answer(response, review, { auditAnnotations: Object.fromEntries(many(100_000, (n) => [`a${n}`, 'b'])) }),
};

/** An answer to a review of a token or of access. */
const status =
  (more: object): HookMisdeed =>
  (response, { apiVersion, kind }) =>
    response.writeHead(200, json).end(JSON.stringify({ apiVersion, kind, status: more }));
const authenticated = (user: object): HookMisdeed => status({ authenticated: true, user });

const reviews: { readonly [name: string]: HookMisdeed } = {
  'a user of 150,000 groups': authenticated({ username: 'a', groups: many(150_000, (n) => `group-${n}`) }),
  'a user with a name of 2.9 MB': authenticated({ username: 'a'.repeat(2_900_000) }),
  'a user with 100,000 attributes': authenticated({
    username: 'a',
    extra: Object.fromEntries(many(100_000, (n) => [`x.io/${n}`, ['a']])),
  }),
  'a reason of 2.9 MB': status({ allowed: false, authenticated: false, reason: 'a'.repeat(2_900_000) }),
  'an evaluation error of 2.9 MB': status({ allowed: false, evaluationError: 'a'.repeat(2_900_000) }),
};

/** An answer to a conversion, with a list of converted objects. */
const converted =
  (convert: (objects: readonly object[]) => readonly object[]): HookMisdeed =>
  (response, { apiVersion, kind, request }) => {
    const convertedObjects = convert(request?.objects ?? []);
    const body = { apiVersion, kind, response: { uid: request?.uid, result: { status: 'Success' }, convertedObjects } };
    response.writeHead(200, json).end(JSON.stringify(body));
  };
const inV2 = (objects: readonly object[], more: object = {}): readonly object[] =>
  objects.map((object) => ({ ...object, apiVersion: 'hostile.x.io/v2', ...more }));

const conversions: { readonly [name: string]: HookMisdeed } = {
  'the objects': converted((objects) => inV2(objects)),
  'the objects, each larger by 3 KB': converted((objects) => inV2(objects, { spec: { a: 'a'.repeat(3_000) } })),
  'the objects without one': converted((objects) => inV2(objects.slice(1))),
  'the objects as they were': converted((objects) => objects),
  'the objects with other names': converted((objects) => inV2(objects, { metadata: { name: 'another' } })),
  'the objects as numbers': converted((objects) => objects.map(() => 1 as unknown as object)),
  'the objects late': (response, review) => void setTimeout(() => converted(inV2)(response, review), 1_500),
};

const table = (rows: { readonly [name: string]: HookMisdeed }): ReadonlyMap<string, HookMisdeed> =>
  new Map(Object.entries(rows));

/** Called by path. */
export const brokenMisdeeds = table(broken);
export const hookMisdeeds = table({ ...broken, ...answers });
export const reviewMisdeeds = table({ ...broken, ...reviews });
export const conversionMisdeeds = table({ ...broken, ...conversions });
