import { describe, expect, it, vi } from 'vitest';
import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { JsonValue } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { claimedKind } from './claimed-kind.ts';
import { type BodyRequest, decodeBody, type DecodedObject, type FieldValidation, parseBody } from './decode-body.ts';
import { jsonSerializer } from './json-serializer.ts';
import type { Serializer } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

const expected: GroupVersionKind = { group: '', version: 'v1', kind: 'Pod' };

function schemaOf({ group, version, kind }: GroupVersionKind): Schema | undefined {
  return schemaByName(`io.k8s.api.${group === '' ? 'core' : group}.${version}.${kind}`);
}

function decoded(request: BodyRequest): DecodedObject {
  const parsed = parseBody(request);
  return decodeBody(request, parsed, schemaOf(parsed.kind));
}

interface Options {
  readonly serializer?: Serializer;
  readonly fieldValidation?: FieldValidation;
}

function decode(
  body: string,
  { serializer = jsonSerializer, fieldValidation = 'Strict' }: Options = {},
): DecodedObject {
  return decoded({ bytes: Buffer.from(body), serializer, expected, fieldValidation });
}

function warningsOf(body: string, serializer = jsonSerializer): readonly string[] {
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  decoded({ bytes: Buffer.from(body), serializer, expected, fieldValidation: 'Warn', warn });
  return warnings;
}

function messageOf(body: string, options?: Options): string {
  try {
    decode(body, options);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect(error.status).toMatchObject({ code: 400, reason: 'BadRequest' });
    return error.message;
  }
  throw new Error('the body was accepted');
}

const unrecognized = 'the object provided is unrecognized (must be of type Pod): ';
const interpret = `${unrecognized}couldn't get version/kind; json parse error: `;
const handled = 'Pod in version "v1" cannot be handled as a Pod: ';

describe('decodeBody', () => {
  // Recorded from kube-apiserver 1.37.1 for POST /api/v1/namespaces/default/pods.
  const errors: readonly [string, string][] = [
    ['', `${interpret}unexpected end of JSON input (<empty>)`],
    [
      '[]',
      `${interpret}json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`,
    ],
    ['{"kind":1}', `${interpret}json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})`],
    [
      '{"kind":"Pod","apiVersion":"v1"',
      `${interpret}unexpected end of JSON input ({"kind":"Pod","apiVersion":"v1 ...)`,
    ],
    [
      '{"kind":"Pod","apiVersion":"a/b/c"}',
      `${unrecognized}unexpected GroupVersion string: a/b/c ({"kind":"Pod","apiVersion":"a/ ...)`,
    ],
    [
      '{"kind":"Foo","apiVersion":"v1"}',
      'Foo in version "v1" cannot be handled as a Pod: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"KIND":"Foo"}',
      'Foo in version "v1" cannot be handled as a Pod: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"Pod","apiVersion":"apps/v1"}',
      `${handled}no kind "Pod" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"`,
    ],
    [
      '{"kind":"Service","apiVersion":"v1"}',
      'Service in version "v1" cannot be handled as a Pod: converting (v1.Service) to (core.Pod): unknown conversion',
    ],
    [
      '{"kind":"Deployment","apiVersion":"apps/v1"}',
      'Deployment in version "v1" cannot be handled as a Pod: converting (v1.Deployment) to (core.Pod): unknown conversion',
    ],
    ['{"spec":{"foo":1}}', `${handled}strict decoding error: unknown field "spec.foo"`],
    ['{"spec":1}', `${handled}json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec`],
  ];
  it.each(errors)('refuses %j', (body, message) => {
    expect(messageOf(body)).toBe(message);
  });

  it('refuses YAML as the reference does', () => {
    expect(messageOf('a: *x', { serializer: yamlSerializer })).toBe(
      `${unrecognized}yaml: unknown anchor 'x' referenced (613a202a78)`,
    );
    expect(messageOf('a: 1\nb: 2\na: 3\nb:\n  c: 1', { serializer: yamlSerializer })).toBe(
      `${handled}strict decoding error: yaml: unmarshal errors:\n  line 3: key "a" already set in map\n  line 5: key "b" already set in map, unknown field "a", unknown field "b"`,
    );
  });

  it('turns strict errors into warnings or into nothing', () => {
    const yaml = 'a: 1\nb: 2\na: 3\nb: 4\n';
    expect(warningsOf(yaml, yamlSerializer)).toEqual([
      'line 3: key "a" already set in map',
      'line 4: key "b" already set in map',
      'unknown field "a"',
      'unknown field "b"',
    ]);
    const json = '{"spec":{"foo":1,"hostname":"a","hostname":"b"}}';
    expect(warningsOf(json)).toEqual(['unknown field "spec.foo"', 'duplicate field "spec.hostname"']);
    expect(decode(json, { fieldValidation: 'Ignore' })).toEqual({
      object: { kind: 'Pod', apiVersion: 'v1', metadata: {}, spec: { hostname: 'b' } },
      kind: expected,
    });
  });

  it('warns of a body that is refused for its version', () => {
    const warnings: string[] = [];
    const options = { serializer: jsonSerializer, fieldValidation: 'Warn', schemaOf } as const;
    const bytes = Buffer.from('{"apiVersion":"v1","kind":"Pod","nope":1}');
    const refused = { ...expected, version: 'v2' };
    const warn = (text: string): number => warnings.push(text);
    expect(() => decoded({ ...options, bytes, expected: refused, warn })).toThrow('does not match');
    expect(warnings).toEqual(['unknown field "nope"']);
  });

  it('reads kind and apiVersion whatever their case, the last of several, without taking the body apart', () => {
    const text = '{"Kind":"Service","kind":null,"KIND":"Pod","APIVERSION":"v1"}';
    const tree = vi.fn<() => never>();
    const source = { value: JSON.parse(text) as JsonValue, faithful: true, tree };
    expect(claimedKind(source)).toEqual({ group: '', version: 'v1', kind: 'Pod' });
    expect(tree).not.toHaveBeenCalled();
  });

  it('defaults kind and apiVersion and adds metadata', () => {
    const object = { kind: 'Pod', apiVersion: 'v1', metadata: {} };
    expect(decode('null').object).toEqual(object);
    expect(Object.keys(decode('{"metadata":{"name":"a"},"apiVersion":"v1"}').object)).toEqual(Object.keys(object));
  });
});
