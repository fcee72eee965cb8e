import { describe, expect, test } from 'vitest';
import { type JsonSource, plainOf } from '../../src/api/json/json-tree.ts';
import { indentJson } from '../../src/codec/json-indent.ts';
import { parseJson } from '../../src/codec/json.ts';
import { decodeProtobuf } from '../../src/codec/protobuf/decode.ts';
import { encodeProtobuf } from '../../src/codec/protobuf/encode.ts';
import { readEnvelope, writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { encodeYaml } from '../../src/codec/yaml/write.ts';
import { parseYaml } from '../../src/codec/yaml/read.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import { encodeJson } from '../../src/schema/encode-json.ts';
import { schemaOfAnyKind } from '../../src/schema/kubernetes/unserved-kinds.ts';
import { type Golden, goldenFolders, goldenIds, olderReleases, readGolden } from './golden-files.ts';

const present = Object.values(goldenFolders).flatMap((folder) =>
  goldenIds(folder, 'HEAD').map((id) => ({ id, folder })),
);

/** Reads the object from each encoding and writes it in all of them; returns the deviations from the golden files. */
function differences(golden: Golden): readonly string[] {
  const { json, yaml, pb, id } = golden;
  const schema = schemaOfAnyKind(golden.kind);
  if (schema === undefined) return [`${id}: no schema`];
  const { apiVersion, kind, raw } = readEnvelope(pb.read);
  const { object } = decodeObject(schema, parseJson(json.read));
  const text = encodeJson(schema, object);
  const ofYaml = decodeObject(schema, yamlSource(yaml.read)).object;
  const named = kind === '' ? {} : { apiVersion, kind };
  const ofMessage = { ...decodeProtobuf(schema, raw), ...named };
  return [
    ...(encodeJson(schema, ofYaml) === text ? [] : [`${id}: read from YAML`]),
    ...(encodeJson(schema, ofMessage) === text ? [] : [`${id}: read from protobuf`]),
    ...(indentJson(Buffer.from(text)).equals(json.written) ? [] : [`${id}: JSON`]),
    ...(encodeYaml(text) === yaml.written.toString() ? [] : [`${id}: YAML`]),
    ...[object, ofMessage].flatMap((each) =>
      writeEnvelope({ apiVersion, kind, raw: encodeProtobuf(schema, each) }).equals(pb.written)
        ? []
        : [`${id}: protobuf`],
    ),
  ];
}

function yamlSource(bytes: Buffer): JsonSource {
  const { tree } = parseYaml(bytes);
  return { value: plainOf(tree), faithful: true, tree: () => tree };
}

describe.skipIf(present.length === 0)('goldens of the release (skipped where its Go modules are missing)', () => {
  test('every kind has one', () => {
    expect(goldenIds(goldenFolders.api, 'HEAD')).toHaveLength(193);
  });

  test.each(present)('$id is written byte for byte, and round-trips', ({ id, folder }) => {
    expect(differences(readGolden(folder, 'HEAD', id))).toEqual([]);
  });
});

const older = Object.values(goldenFolders).flatMap((folder) =>
  olderReleases(folder).map((release) => ({ folder, release })),
);

describe.skipIf(older.length === 0)('goldens of older releases (skipped where the Go modules are missing)', () => {
  test.each(older)('every kind of $release that still exists', ({ folder, release }) => {
    const kinds = new Set(goldenIds(folder, 'HEAD'));
    const ids = goldenIds(folder, release).filter((id) => kinds.has(id));
    expect(ids.length).toBeGreaterThan(kinds.size * 0.8);
    expect(ids.flatMap((id) => differences(readGolden(folder, release, id)))).toEqual([]);
  });
});
