import { expect, test } from 'vitest';
import { definitionNames, schemaByName, schemaOfKind } from './definitions.ts';
import { schemaOfAnyKind } from './unserved-kinds.ts';

test.each([
  { group: 'apps', version: 'v1beta1', kind: 'StatefulSet', goType: 'v1beta1.StatefulSet' },
  { group: 'extensions', version: 'v1beta1', kind: 'IngressList', goType: 'v1beta1.IngressList' },
  { group: 'admission.k8s.io', version: 'v1', kind: 'AdmissionReview', goType: 'v1.AdmissionReview' },
  { group: '', version: 'v1', kind: 'PodExecOptions', goType: 'v1.PodExecOptions' },
  { group: '', version: 'v1', kind: 'List', goType: 'v1.List' },
  { group: 'apps', version: 'v1', kind: 'CreateOptions', goType: 'v1.CreateOptions' },
  { group: 'apps', version: 'v1', kind: 'Deployment', goType: 'v1.Deployment' },
])('$goType of the group "$group"', ({ goType, ...kind }) => {
  expect(schemaOfAnyKind(kind)?.goType).toBe(goType);
});

test('kinds unknown to the release', () => {
  expect(schemaOfAnyKind({ group: 'apps', version: 'v1beta1', kind: 'Pod' })).toBeUndefined();
  expect(schemaOfAnyKind({ group: 'apps', version: 'v7', kind: 'Deployment' })).toBeUndefined();
  expect(schemaOfAnyKind({ group: 'meta.k8s.io', version: 'v1', kind: 'Nothing' })).toBeUndefined();
});

test('types of older versions are shared with served ones if identical, and are not part of what is served', () => {
  const kind = { group: 'apps', version: 'v1beta2', kind: 'Deployment' };
  const spec = schemaOfAnyKind(kind)?.structure?.fields.get('spec')?.schema.structure;
  expect(spec?.fields.get('template')?.schema.structure).toBe(
    schemaByName('io.k8s.api.core.v1.PodTemplateSpec')?.structure,
  );
  expect(schemaOfKind(kind)).toBeUndefined();
  expect(definitionNames().filter((name) => name.includes('.apps.v1beta2.'))).toEqual([]);
});
