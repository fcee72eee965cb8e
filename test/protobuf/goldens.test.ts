import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseApiVersion } from '../../src/api/group-version.ts';
import type { JsonObject } from '../../src/api/json.ts';
import { parseJson } from '../../src/codec/json.ts';
import { decodeProtobuf } from '../../src/codec/protobuf/decode.ts';
import { encodeProtobuf } from '../../src/codec/protobuf/encode.ts';
import { readEnvelope, writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { decodeObject, decodePlain } from '../../src/schema/decode.ts';
import { encodeJson } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';

// The Go module k8s.io/api of the release holds every kind in JSON and in protobuf. It is there where the reference has been built.
const modules = process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');
const folder = join(modules, 'k8s.io', 'api@v0.37.1', 'testdata', 'HEAD');

const goldens = existsSync(folder) ? readGoldens() : [];

function readGoldens() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.pb'))
    .flatMap((file) => {
      const id = file.slice(0, -'.pb'.length);
      const message = readFileSync(join(folder, file));
      const { apiVersion, kind } = readEnvelope(message);
      const parsed = parseApiVersion(apiVersion);
      const schema = parsed === undefined ? undefined : schemaOfKind({ ...parsed, kind });
      // Kinds that the release has no resource for are not in the table.
      return schema === undefined ? [] : [{ id, message, schema, json: readFileSync(join(folder, `${id}.json`)) }];
    });
}

describe.skipIf(goldens.length === 0)('goldens of k8s.io/api (skipped where its Go module is missing)', () => {
  test('there is one of most kinds', () => {
    expect(goldens.length).toBeGreaterThan(100);
  });

  test.each(goldens)('$id is written byte for byte, and read back', ({ message, schema, json }) => {
    const { object } = decodeObject(schema, parseJson(json));
    const { apiVersion, kind, raw } = readEnvelope(message);
    expect(writeEnvelope({ apiVersion, kind, raw: encodeProtobuf(schema, object) }).equals(message)).toBe(true);
    const read: JsonObject = { ...decodeProtobuf(schema, raw), apiVersion, kind };
    expect(encodeJson(schema, decodePlain(schema, read).object)).toBe(encodeJson(schema, object));
  });
});
