import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { encodeJsonBytes } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import { decodeBody, parseBody } from '../../src/codec/decode-body.ts';
import { jsonSerializer } from '../../src/codec/json-serializer.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { awkward, writtenJson } from '../random-objects/awkward.ts';
import { builtInKinds, type KindWithSchema, randomObject } from '../random-objects/kinds.ts';
import { pick, type Random } from '../random-objects/random.ts';

/** A valid body and its kind. */
export interface Specimen {
  readonly of: KindWithSchema;
  readonly body: Buffer;
}

const randomSpecimens = 150;
const maxBytes = 2048;

// The Go module k8s.io/api of the release, present where the reference has been built.
const modules = process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');
const goldens = join(modules, 'k8s.io', 'api@v0.37.1', 'testdata', 'HEAD');

/** Random objects and, if available, the release's golden files, as bodies of one format. */
export function corpusOf(serializer: Serializer, random: Random): readonly Specimen[] {
  const written = Array.from({ length: randomSpecimens }, () => {
    const of = pick(random, builtInKinds);
    return { of, json: Buffer.from(writtenJson(randomObject(of, random, awkward))) };
  });
  return [...written, ...goldenJson()].flatMap(({ of, json }) => {
    const body = serializer.write({ json: readJson(of, json) }, { schemaOf: schemaOfKind });
    return body.length > maxBytes ? [] : [{ of, body: Buffer.from(body) }];
  });
}

function goldenJson(): readonly { readonly of: KindWithSchema; readonly json: Buffer }[] {
  if (!existsSync(goldens)) return [];
  const files = new Set(readdirSync(goldens));
  return builtInKinds.flatMap((of) => {
    const { group, version, kind } = of.kind;
    const file = `${group === '' ? 'core' : group}.${version}.${kind}.json`;
    return files.has(file) ? [{ of, json: readFileSync(join(goldens, file)) }] : [];
  });
}

/** The JSON that a server would store. */
function readJson({ kind, schema }: KindWithSchema, bytes: Buffer): Buffer {
  const request = { bytes, serializer: jsonSerializer, expected: kind, fieldValidation: 'Ignore' } as const;
  return encodeJsonBytes(schema, decodeBody(request, parseBody(request), schema).object);
}
