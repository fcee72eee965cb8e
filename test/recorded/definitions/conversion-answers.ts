import { type ConversionWebhook, reviewOf, type WebhookResponse } from '../../definitions/conversion-webhook.ts';

/* What a conversion webhook may answer besides what it should. */

type Review = Parameters<NonNullable<ConversionWebhook['answer']>>[0];
type Convertible = Review['request']['objects'][number];
type Answering = (review: Review) => WebhookResponse;
type Change = (object: Convertible & { readonly metadata: object }) => unknown;

const success = { status: 'Success' };

/** The objects as they should be, changed. */
function objects(change: Change, result: unknown = success): Answering {
  return ({ request: { uid, desiredAPIVersion: apiVersion, objects: given } }) => {
    const convertedObjects = given.map((object) => change({ ...object, apiVersion }));
    return { body: reviewOf({ uid, result, convertedObjects }) };
  };
}

function metadata(change: object): Answering {
  return objects((object) => ({ ...object, metadata: { ...object.metadata, ...change } }));
}

/** The review as it should be, changed. */
function review(change: (whole: { readonly response: object }, uid: string) => unknown): Answering {
  return (asked) => {
    const { body } = objects((object) => object)(asked);
    return { body: change(body as { readonly response: object }, asked.request.uid) };
  };
}

function response(change: object): Answering {
  return review((whole) => ({ ...whole, response: { ...whole.response, ...change } }));
}

function code(status: number, headers: WebhookResponse['headers'] = {}, body: unknown = 'no'): Answering {
  return () => ({ code: status, body, headers });
}

const refusal = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'not now',
  reason: 'Conflict',
  code: 409,
};

export const conversionResponses: { readonly [name: string]: Answering } = {
  'as it should': objects((object) => object),
  'code 201': (asked) => ({ ...objects((object) => object)(asked), code: 201 }),
  'code 204': code(204, {}, ''),
  'code 301 to nowhere': code(301),
  'code 302 to itself': code(302, { location: '/convert' }),
  'code 400': code(400),
  'code 401': code(401),
  'code 403': code(403),
  'code 404': code(404),
  'code 409': code(409),
  'code 413': code(413),
  'code 418': code(418),
  'code 422': code(422),
  'code 429': code(429),
  'code 503': code(503),
  'code 504': code(504),
  'code 599': code(599),
  'code 500 without a body': code(500, {}, ''),
  'code 500 with a status': code(500, {}, refusal),
  'code 500 with JSON': code(500, {}, { error: 'x' }),
  'a status': code(200, {}, refusal),
  'no body': code(200, {}, ''),
  'broken JSON': code(200, {}, '{"kind":'),
  words: code(200, {}, 'converted'),
  'a page': code(200, { 'content-type': 'text/html' }, '<html></html>'),
  'an array': code(200, {}, []),
  null: code(200, {}, null),
  'a number': code(200, {}, 1),
  YAML: review(() => 'kind: ConversionReview\napiVersion: apiextensions.k8s.io/v1\n'),
  'another media type': (asked) => ({
    ...objects((object) => object)(asked),
    headers: { 'content-type': 'text/html; charset=utf-8' },
  }),
  'another kind': review((whole) => ({ ...whole, kind: 'AdmissionReview' })),
  'no kind': review((whole) => ({ ...whole, kind: undefined })),
  'no version': review((whole) => ({ ...whole, apiVersion: undefined })),
  'the older version': review((whole) => ({ ...whole, apiVersion: 'apiextensions.k8s.io/v1beta1' })),
  'an unknown version': review((whole) => ({ ...whole, apiVersion: 'apiextensions.k8s.io/v2' })),
  'another group': review((whole) => ({ ...whole, apiVersion: 'admission.k8s.io/v1' })),
  'no response': review((whole) => ({ ...whole, response: undefined })),
  'a response of null': review((whole) => ({ ...whole, response: null })),
  'a response that is a text': review((whole) => ({ ...whole, response: 'x' })),
  'no uid': response({ uid: undefined }),
  'another uid': response({ uid: 'x' }),
  'a uid that is a number': response({ uid: 1 }),
  'no result': response({ result: undefined }),
  'a result that is a text': response({ result: 'Success' }),
  'a failure': response({ result: { status: 'Failure' } }),
  'a failure with words': response({ result: { status: 'Failure', message: 'no "way"', reason: 'Gone', code: 410 } }),
  'an unknown status': response({ result: { status: 'success' } }),
  'an empty status': response({ result: { message: 'why' } }),
  'objects that are null': response({ convertedObjects: null }),
  'objects that are an object': response({ convertedObjects: {} }),
  'no objects at all': response({ convertedObjects: [] }),
  'an object too many': review((whole) => ({ ...whole, response: { ...whole.response, convertedObjects: [{}, {}] } })),
  'unknown fields': response({ more: 1 }),
  'an object that is null': objects(() => null),
  'an object that is a text': objects(() => 'x'),
  'an object that is a number': objects(() => 1),
  'an object that is an array': objects(() => [{}]),
  'an empty object': objects(() => ({})),
  'an object without a kind': objects((object) => ({ ...object, kind: undefined })),
  'an object without a version': objects((object) => ({ ...object, apiVersion: undefined })),
  'an object of another kind': objects((object) => ({ ...object, kind: 'Boat' })),
  'an object of another group': objects((object) => ({ ...object, apiVersion: 'x.example.com/v2' })),
  'an object of version v9': objects((object) => ({ ...object, apiVersion: 'harbor.example.com/v9' })),
  'an object of an odd version': objects((object) => ({ ...object, apiVersion: 'a/b/c' })),
  'no metadata': objects((object) => ({ ...object, metadata: undefined })),
  'metadata that are null': objects((object) => ({ ...object, metadata: null })),
  'metadata that are a text': objects((object) => ({ ...object, metadata: 'x' })),
  'another name': metadata({ name: 'x' }),
  'no name': metadata({ name: undefined }),
  'a name that is a number': metadata({ name: 1 }),
  'another namespace': metadata({ namespace: 'x' }),
  'no namespace': metadata({ namespace: undefined }),
  'another object uid': metadata({ uid: 'x' }),
  'another resource version': metadata({ resourceVersion: '7' }),
  'another generation': metadata({ generation: 70 }),
  'another creation': metadata({ creationTimestamp: '2001-01-01T00:00:00Z' }),
  'a deletion': metadata({ deletionTimestamp: '2001-01-01T00:00:00Z' }),
  'other finalizers': metadata({ finalizers: ['example.com/x'] }),
  'other owners': metadata({ managedFields: [], ownerReferences: [] }),
  'other labels': metadata({ labels: { made: 'here' }, annotations: { made: 'here' } }),
  'no labels': metadata({ labels: null, annotations: undefined }),
  'labels that are a list': metadata({ labels: ['x'] }),
  'labels that are numbers': metadata({ labels: { a: 1 } }),
  'labels that are wrong': metadata({ labels: { 'a b': 'c' } }),
  'annotations that are null': metadata({ annotations: { a: null } }),
  'annotations that are wrong': metadata({ annotations: { 'a b': 'c' } }),
  'unknown metadata': metadata({ nope: 1 }),
  'fields that the schema lacks': objects((object) => ({ ...object, more: 1, spec: { ...object.spec, more: 1 } })),
  'a spec that is a text': objects((object) => ({ ...object, spec: 'x' })),
  'a spec that is null': objects((object) => ({ ...object, spec: null })),
  'replicas that are a text': objects((object) => ({ ...object, spec: { ...object.spec, replicas: 'x' } })),
  'a status that is a list': objects((object) => ({ ...object, status: [] })),
  'a cut connection': () => ({ body: '', breaks: 'before' }),
  'half a body': (asked) => ({ ...objects((object) => object)(asked), breaks: 'within' }),
};

export const noResponse: Answering = () => ({ body: '', breaks: 'never' });
