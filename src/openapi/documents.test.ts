import { expect, test } from 'vitest';
import { catalogueOf } from '../catalogue/testdata/catalogue-of.ts';
import { currentRelease, servedResources } from '../schema/kubernetes/api-enablement.ts';
import { documentationOf } from './documentation.ts';
import { createOpenApi } from './documents.ts';

const served = servedResources(new Map());
const documentsOf = createOpenApi({ release: currentRelease, documentation: async () => documentationOf({}) });

test('documents are built once', async () => {
  const documents = documentsOf(catalogueOf(served));
  expect(await documents.v3('apis/apps/v1')).toBe(await documents.v3('apis/apps/v1'));
  expect(await documents.v2Protobuf()).toBe(await documents.v2Protobuf());
  expect((await documents.v2Protobuf()).etag).toBe((await documents.v2Json()).etag);
});

test('unserved versions have no document', async () => {
  const documents = documentsOf(catalogueOf(served));
  expect(await documents.v3('apis/apps/v1beta1')).toBeUndefined();
});
