import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readDescriptions } from '../../scripts/descriptions.mjs';
import {
  deleteParameters,
  listParameters,
  namespaceParameter,
  patchParameters,
  pretty,
  writeParameters,
} from '../../src/openapi/parameters.ts';
import { documentationOf, loadDocumentation } from '../../src/openapi/documentation.ts';
import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';

// What a build takes from the client's doc comments.

const texts = readDescriptions();
const documentation = documentationOf(texts);
const container = 'io.k8s.api.core.v1.Container';

test('stable kinds and most of their fields are described', () => {
  const stable = builtInResources().filter(({ version }) => /^v\d+$/.test(version));
  const names = [...new Set(stable.map(({ schema }) => schema.name ?? ''))];
  expect(names.filter((name) => documentation.type(name) === undefined)).toEqual([]);
  const fields = [...(schemaByName(container)?.structure?.fields.keys() ?? [])];
  const described = fields.filter((field) => documentation.field(container, field) !== undefined);
  expect(described.length / fields.length).toBeGreaterThan(0.7);
});

test('texts are in one line, without what a comment needs', () => {
  for (const [name, fields] of Object.entries({ ...texts.types, parameters: texts.parameters })) {
    for (const text of Object.values(fields)) expect(text, name).not.toMatch(/\n|\\'|^\s|\s$|^\/\*|\*\/$/);
  }
});

test('parameters that all kinds have are described', () => {
  const parameters = [...listParameters(), ...deleteParameters(), ...writeParameters, ...patchParameters, pretty];
  const topics = [...parameters, namespaceParameter].flatMap(({ topic }) => topic ?? []);
  expect(new Set(topics).size).toBe(22);
  expect(topics.filter((topic) => documentation.parameter(topic) === undefined)).toEqual([]);
  expect(documentation.parameter('fieldManager of a patch')).toContain('required for apply requests');
  expect(documentation.parameter('force')).toContain('"force" Apply');
});

test('kinds of the same name are told apart by their group', () => {
  const event = (name: string): string | undefined => documentation.type(name);
  expect(event('io.k8s.api.core.v1.Event')).toBeDefined();
  expect(event('io.k8s.api.events.v1.Event')).toBeDefined();
  expect(documentation.field('io.k8s.api.core.v1.Event', 'involvedObject')).toBeUndefined();
  expect(documentation.field('io.k8s.api.core.v1.Event', 'count')).toBeDefined();
  expect(documentation.field('io.k8s.api.events.v1.Event', 'note')).toBeDefined();
  expect(documentation.field('io.k8s.api.core.v1.Event', 'note')).toBeUndefined();
});

test('they are read from beside the bundle, and from above a folder of chunks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-descriptions-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'descriptions.json'), JSON.stringify({ types: { V1Container: { '': 'Runs.' } } }));
  for (const place of ['cli.js', 'chunks/chunk.js']) {
    const loaded = await loadDocumentation(pathToFileURL(join(folder, place)).href);
    expect(loaded.type(container)).toBe('Runs.');
  }
  const elsewhere = await loadDocumentation(pathToFileURL(join(folder, 'a/b/chunk.js')).href);
  expect(elsewhere.type(container)).toBeUndefined();
});
