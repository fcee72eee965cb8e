import { expect, test } from 'vitest';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import { definitionsWith } from './definitions.ts';
import { describeDefinition, describeField } from './descriptions.ts';

const podSpec = 'io.k8s.api.core.v1.PodSpec';

test.each([
  ['activeDeadlineSeconds', 'The active deadline of this pod spec, in seconds.'],
  ['containers', 'The containers of this pod spec. Items are told apart by name.'],
  ['dnsConfig', 'The DNS config of this pod spec.'],
  ['hostIPC', 'True or false: host IPC of this pod spec.'],
  ['restartPolicy', 'The restart policy of this pod spec. Known values: `Always`, `Never`, `OnFailure`.'],
])('the field %s is described from its schema', (name, text) => {
  const field = schemaByName(podSpec)?.structure?.fields.get(name);
  expect(field && describeField('PodSpec', field)).toBe(text);
});

test.each([
  [podSpec, 'Pod spec.'],
  ['io.k8s.api.core.v1.Pod', 'Pod of v1.'],
  ['io.k8s.api.apps.v1.DeploymentList', 'A list of Deployment objects of apps/v1.'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'A quantity such as `500m` or `2Gi`.'],
])('the definition %s is described', (name, text) => {
  const definition = definitionsWith(new Map())(name);
  expect(definition && describeDefinition(definition)).toBe(text);
});
