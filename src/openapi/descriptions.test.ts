import { expect, test } from 'vitest';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import { definitionsWith } from './definitions.ts';
import { documentationOf } from './documentation.ts';
import { listParameters, optionParameters } from './parameters.ts';
import { describeDefinition, describeField, describeParameter } from './descriptions.ts';

const podSpec = 'io.k8s.api.core.v1.PodSpec';
const undocumented = documentationOf({});

function described(field: string, documentation = undocumented): string | undefined {
  const owner = schemaByName(podSpec);
  const found = owner?.structure?.fields.get(field);
  return owner && found && describeField(owner, found, documentation);
}

test.each([
  ['activeDeadlineSeconds', 'The active deadline of this pod spec, in seconds.'],
  ['containers', 'The containers of this pod spec. Items are identified by name.'],
  ['dnsConfig', 'The DNS config of this pod spec.'],
  ['hostIPC', 'True or false: host IPC of this pod spec.'],
  ['restartPolicy', 'The restart policy of this pod spec. Known values: `Always`, `Never`, `OnFailure`.'],
])('the field %s is described from its schema', (name, text) => {
  expect(described(name)).toBe(text);
});

test('what has been written about fields and types goes before that', () => {
  const documentation = documentationOf({
    types: {
      V1PodSpec: { '': 'What runs.', dnsPolicy: 'Who is asked for names.' },
      V1PodDNSConfig: { '': 'How names are found.' },
      CoreV1Affinity: { '': 'Where it runs.' },
      V1Affinity: { '': 'Of another group.' },
    },
  });
  expect(described('dnsPolicy', documentation)).toBe('Who is asked for names.');
  expect(described('dnsConfig', documentation)).toBe('How names are found.');
  expect(described('affinity', documentation)).toBe('Where it runs.');
  expect(described('hostIPC', documentation)).toBe('True or false: host IPC of this pod spec.');
  const definition = definitionsWith(new Map())(podSpec);
  expect(definition && describeDefinition(definition, documentation)).toBe('What runs.');
});

test.each([
  [podSpec, 'Pod spec.'],
  ['io.k8s.api.core.v1.Pod', 'Pod of v1.'],
  ['io.k8s.api.apps.v1.DeploymentList', 'A list of Deployment objects of apps/v1.'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'A quantity such as `500m` or `2Gi`.'],
])('the definition %s is described', (name, text) => {
  const definition = definitionsWith(new Map())(name);
  expect(definition && describeDefinition(definition, undocumented)).toBe(text);
});

test('parameters that all kinds have are described in the documentation, others by their kind', () => {
  const documentation = documentationOf({ parameters: { watch: 'What happens next.', follow: 'Of other kinds.' } });
  const [watch] = listParameters().filter(({ name }) => name === 'watch');
  const [follow] = optionParameters('io.k8s.api.core.v1.PodLogOptions').filter(({ name }) => name === 'follow');
  const texts = [watch, follow].map((parameter) => parameter && describeParameter(parameter, documentation));
  expect(texts).toEqual(['What happens next.', 'True or false: follow of this pod log options.']);
  expect(watch && describeParameter(watch, undocumented)).toMatch(/^Streams changes/);
});

test('custom kinds are described by their definitions, and their common fields as those of other kinds', () => {
  const custom = { name: 'com.example.v1.Foo', schema: { type: 'object', goType: '', definition: {} } } as const;
  const kind = { group: 'example.com', version: 'v1', kind: 'Foo' };
  expect(describeDefinition({ ...custom, kind }, undocumented)).toBeUndefined();
  const documentation = documentationOf({
    types: { V1Pod: { apiVersion: 'Whose rules it follows.', spec: 'What is wanted.' } },
  });
  const field = (name: string): string =>
    describeField(custom.schema, { name, schema: { type: 'string', goType: 'string' } }, documentation);
  expect(field('apiVersion')).toBe('Whose rules it follows.');
  expect(field('kind')).toBe('Kind of this object, such as `Pod`.');
  expect(field('metadata')).toMatch(/^Standard object's metadata/);
  expect(field('spec')).toBe('The desired state.');
});
