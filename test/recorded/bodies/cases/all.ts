import type { BodyCase } from '../case.ts';
import { customValues } from './custom-values.ts';
import { escapedResponses } from './escaped-answers.ts';
import { jsonDocuments } from './json-documents.ts';
import { jsonValues } from './json-values.ts';
import { mutatedNumbers } from './mutated-numbers.ts';
import { oddInstances } from './odd-instances.ts';
import { patchBodies } from './patch-bodies.ts';
import { protobufBodies } from './protobuf-bodies.ts';
import { unknownFields } from './unknown-fields.ts';
import { writtenNumbers } from './written-numbers.ts';
import { yamlResponses } from './yaml-answers.ts';
import { yamlDocuments } from './yaml-documents.ts';
import { yamlValues } from './yaml-values.ts';

/** Cases by file of recorded responses. */
export const bodyCases: { readonly [file: string]: readonly BodyCase[] } = {
  'json-values': distinct(jsonValues),
  'json-documents': distinct(jsonDocuments),
  'protobuf-bodies': distinct(protobufBodies),
  'yaml-values': distinct(yamlValues),
  'yaml-documents': distinct(yamlDocuments),
  'yaml-answers': distinct(yamlResponses),
  'escaped-answers': distinct(escapedResponses),
  'patch-bodies': distinct(patchBodies),
  'custom-values': distinct(customValues),
  'written-numbers': distinct(writtenNumbers),
  'mutated-numbers': distinct(mutatedNumbers),
  'unknown-fields': distinct(unknownFields),
  'odd-instances': distinct(oddInstances),
};

/** The lists of values overlap. */
function distinct(cases: readonly BodyCase[]): readonly BodyCase[] {
  return [...new Map(cases.map((body) => [body.name, body])).values()];
}
