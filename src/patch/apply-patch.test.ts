import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
import { definitionKind, definitionName, schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { applyPatch, type PatchedObject, type PatchRequest, readPatch } from './apply-patch.ts';

const configMapSchema = schemaByName('io.k8s.api.core.v1.ConfigMap') as Schema; // in the table
const secretSchema = schemaByName('io.k8s.api.core.v1.Secret') as Schema; // in the table
const expected = { group: '', version: 'v1', kind: 'ConfigMap' };

const configMap: JsonObject = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'c', labels: { a: 'b' } },
  data: { x: '1', y: '2' },
};

function patch(
  format: PatchRequest['format'],
  body: unknown,
  fieldValidation: PatchRequest['fieldValidation'] = 'Warn',
): PatchedObject {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { otherKind, decode } = applyPatch(configMap, {
    name: 'c',
    format,
    source: readPatch(Buffer.from(text)),
    fieldValidation,
    expected,
    schema: configMapSchema,
  });
  return decode(otherKind?.kind === 'Secret' ? secretSchema : undefined);
}

function refusal(run: () => unknown): { code: number; message: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return { code: error.status.code, message: error.status.message };
    throw error;
  }
  throw new Error('not refused');
}

const untold = 'the server rejected our request due to an error in our request';

describe('a JSON Patch', () => {
  it('is applied in order and does not modify its arguments', () => {
    const before = structuredClone(configMap);
    const { object } = patch('json', [
      { op: 'test', path: '/data/x', value: '1' },
      { op: 'add', path: '/data/z', value: '3' },
      { op: 'move', from: '/data/x', path: '/data/w' },
      { op: 'copy', from: '/data/w', path: '/data/v' },
      { op: 'replace', path: '/data/y', value: '4' },
      { op: 'remove', path: '/metadata/labels/a' },
      { op: 'add', path: '/metadata/annotations', value: { 'a/b': 'c' } },
      { op: 'replace', path: '/metadata/annotations/a~1b', value: 'd' },
    ]);
    expect(object['data']).toEqual({ z: '3', w: '1', v: '1', y: '4' });
    expect(object['metadata']).toEqual({ name: 'c', annotations: { 'a/b': 'd' } });
    expect(configMap).toEqual(before);
  });

  it.each([
    [{ op: 'test', path: '/data/x', value: '2' }],
    [{ op: 'remove', path: '/data/none' }],
    [{ op: 'unheard', path: '/data/x' }],
    [{ op: 'add', path: '', value: {} }],
    [{ op: 'add', path: '/none/x', value: '1' }],
    [{ op: 'add', path: '/data/x/y', value: '1' }],
    [{ op: 'replace', path: '', value: 1 }],
    [null],
  ])('that cannot be applied is unprocessable: %j', (operation) => {
    expect(refusal(() => patch('json', [operation]))).toEqual({ code: 422, message: untold });
  });

  it.each([
    [
      '{"op":"add"}',
      'Warn',
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    ['{"op":"add"}', 'Ignore', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['[1]', 'Strict', 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    ['[1]', 'Ignore', 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
    [
      '[{"op":1}]',
      'Warn',
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    ['[{"op":"add"', 'Warn', 'invalid JSON patch'],
  ] as const)('of the wrong form is a bad request: %s %s', (body, fieldValidation, message) => {
    expect(refusal(() => patch('json', body, fieldValidation))).toEqual({ code: 400, message });
  });

  it('has at most 10,000 operations', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/x', value: '1' }));
    const message = 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001';
    expect(refusal(() => patch('json', operations))).toEqual({ code: 413, message });
    expect(patch('json', operations.slice(1)).object).toEqual(configMap);
  });

  it('may have unknown members, with a warning', () => {
    const body = '[{"op":"add","path":"/data/z","value":{"a":1,"a":2},"value":"q","foo":1}]';
    const warnings = ['[0].value.a', '[0].value'].map((path) => `json patch duplicate field "${path}"`);
    expect(patch('json', body).warnings).toEqual([...warnings, 'json patch unknown field "[0].foo"']);
    expect(patch('json', body, 'Ignore').warnings).toEqual([]);
  });

  it('with an invalid result shows the result, opened objects sorted and others unchanged', () => {
    const body = [{ op: 'add', path: '/zork', value: { b: 1, a: '<' } }];
    const shown =
      '{"apiVersion":"v1","data":{"x":"1","y":"2"},"kind":"ConfigMap","metadata":{"name":"c","labels":{"a":"b"}},"zork":{"b":1,"a":"\\u003c"}}';
    const message = ` "" is invalid: patch: Invalid value: ${JSON.stringify(shown)}: strict decoding error: unknown field "zork"`;
    expect(refusal(() => patch('json', body, 'Strict'))).toEqual({ code: 422, message });
    expect(patch('json', body).warnings).toEqual(['unknown field "zork"']);
  });
});

describe('the kind of the result', () => {
  it('is that of the path if the patch removes it', () => {
    const { object } = patch('json', [{ op: 'remove', path: '/kind' }]);
    expect(object).toEqual(configMap);
  });

  it.each([{ apiVersion: null }, { apiVersion: null, kind: null }, { apiVersion: '' }, { apiVersion: '/' }])(
    'is not known without a version: %j',
    (without) => {
      expect(() => patch('merge', without)).toThrow(
        'the name of the object (c based on URL) was undeterminable: name must be provided',
      );
    },
  );

  it.each([
    [{ kind: 'Foo' }, 'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
    [{ kind: 'Secret', data: null }, 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
    [
      { apiVersion: 5 },
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string",
    ],
  ])('cannot be another: %j', (body, problem) => {
    const { code, message } = refusal(() => patch('merge', body));
    expect(code).toBe(422);
    expect(message?.endsWith(`: ${problem}`)).toBe(true);
  });

  // As recorded from kube-apiserver 1.37.1.
  it.each(['/', ''])('has to have a version: %j', (apiVersion) => {
    const message = 'the name of the object (c based on URL) was undeterminable: name must be provided';
    expect(refusal(() => patch('merge', { apiVersion }))).toEqual({ code: 400, message });
  });

  it.each(['v1/', 'apps/'])('has to have a version in another group: %j', (apiVersion) => {
    const { code, message } = refusal(() => patch('merge', { apiVersion }));
    expect(code).toBe(422);
    expect(message).toContain(`: Object 'apiVersion' is missing in '{"apiVersion":"${apiVersion}",`);
  });

  it('does not matter to a strategic merge patch', () => {
    expect(patch('strategic', { kind: 'Secret' }).object).toEqual(configMap);
  });
});

describe('a merge patch', () => {
  it('merges objects, drops nulls and replaces the rest', () => {
    const { object } = patch('merge', {
      data: { x: null, z: '3' },
      metadata: { labels: null, annotations: { a: 'b', c: null } },
    });
    expect(object['data']).toEqual({ y: '2', z: '3' });
    expect(object['metadata']).toEqual({ name: 'c', annotations: { a: 'b' } });
  });

  it.each([
    ['null', 'Warn', 'Invalid JSON Patch'],
    ['3', 'Ignore', 'Invalid JSON Patch'],
    ['[]', 'Warn', 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ] as const)('of the wrong form is a bad request: %s %s', (body, fieldValidation, message) => {
    expect(refusal(() => patch('merge', body, fieldValidation))).toEqual({ code: 400, message });
  });

  it('warns of duplicate and unknown fields', () => {
    expect(patch('merge', '{"dat":{"x":1,"x":2}}').warnings).toEqual([
      'duplicate field "dat.x"',
      'unknown field "dat"',
    ]);
  });

  it('keeps own keys with inherited names', () => {
    const { object } = patch('merge', '{"data":{"__proto__":"1","constructor":"2"}}');
    expect(Object.entries(object['data'] ?? {})).toEqual([
      ['x', '1'],
      ['y', '2'],
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

describe('a strategic merge patch', () => {
  it.each([
    ['[]', 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['{"$retainKeys":5}', 400, 'invalid patch format of retainKeys'],
    ['{"metadata":{"$setElementOrder/finalizers":5}}', 500, 'expected a []interface {}, but received a int64'],
    ['{"$patch":5}', 500, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'],
    [
      '{"data":{"x":1}}',
      422,
      ' "" is invalid: patch: Invalid value: "map[data:map[x:1]]": cannot convert int64 to string',
    ],
    ['{"data":"a"}', 422, ' "" is invalid: patch: Invalid value: "map[data:a]": cannot restore map from string'],
  ] as const)('of the wrong form is refused: %s', (body, code, message) => {
    expect(refusal(() => patch('strategic', body))).toEqual({ code, message });
  });

  it('of null changes nothing', () => {
    expect(patch('strategic', 'null').object).toEqual(configMap);
  });

  it('truncates integers to the size of the field', () => {
    const name = definitionName('apps/v1', 'Deployment');
    const kind = definitionKind(name);
    if (kind === undefined) throw new Error('no kind');
    const { decode } = applyPatch(
      { kind: 'Deployment', apiVersion: 'apps/v1', spec: { replicas: 1 } },
      {
        name: 'd',
        format: 'strategic',
        source: readPatch(Buffer.from('{"spec":{"replicas":99999999999}}')),
        fieldValidation: 'Warn',
        expected: kind,
        schema: schemaByName(name) as Schema, // in the table
      },
    );
    expect(decode(undefined).object['spec']).toEqual({ replicas: 1_215_752_191 });
  });
});
