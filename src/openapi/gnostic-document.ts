import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw } from '../api/json-text.ts';
import { encodeYaml } from '../codec/yaml/write.ts';

/*
 * The version 2 document in protobuf: `openapi.v2.Document` of github.com/google/gnostic-models. The tables name the
 * keys that this server's documents have; `x-` keys go to the field `extensions`.
 */

/** Contents of a field: one buffer an occurrence, a number for a varint. */
type Write = (value: JsonValue) => readonly (Buffer | number)[];

interface Message {
  /** In ascending order. */
  readonly fields: readonly { readonly number: number; readonly key: string; readonly write: Write }[];
  readonly extensions?: number;
}

/** Encodes an OpenAPI version 2 document. */
export function encodeDocument(document: JsonObject): Buffer {
  const encoded = encode(documentMessage, document);
  anyContents.clear();
  return encoded;
}

/** Encoded values by their JSON, while a document is written: some hundred values occur many thousand times. */
const anyContents = new Map<string, Buffer>();

function encode({ fields, extensions }: Message, object: JsonObject): Buffer {
  const parts = fields.flatMap(({ number, key, write }) => {
    const value = object[key];
    return value === undefined ? [] : occurrences(number, write(value));
  });
  if (extensions !== undefined) {
    const own = Object.entries(object).filter(([key]) => key.startsWith('x-'));
    if (own.length > 0) parts.push(...occurrences(extensions, named(any)(Object.fromEntries(own))));
  }
  return Buffer.concat(parts);
}

function occurrences(number: number, contents: ReturnType<Write>): Buffer[] {
  return contents.flatMap((content) =>
    typeof content === 'number'
      ? [varint(number * 8), varint(content)]
      : [varint(number * 8 + 2), varint(content.length), content],
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

// Scalars that are empty or false are left out.
const text: Write = (value) => (typeof value === 'string' && value !== '' ? [Buffer.from(value)] : []);
const flag: Write = (value) => (value === true ? [1] : []);
/** An `Any` holds YAML in its field 2. */
const any: Write = (value) => {
  const json = encodeRaw(value);
  let content = anyContents.get(json);
  if (content === undefined) {
    content = Buffer.concat(occurrences(2, [Buffer.from(encodeYaml(json))]));
    anyContents.set(json, content);
  }
  return [content];
};
/** Strings of a `StringArray`, `TypeItem`: a message with them in its field 1. */
const textItems: Write = (value) => [
  Buffer.concat(occurrences(1, (Array.isArray(value) ? value : [value]).map(textBytes))),
];

function list(write: Write): Write {
  return (value) => (Array.isArray(value) ? value : [value]).flatMap(write);
}

const texts = list((value) => [textBytes(value)]);

/** Fields of these types hold texts in every document. */
function textBytes(value: JsonValue): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The message is made on use, since messages refer to each other in circles. */
function one(message: () => Message): Write {
  return (value) => (isJsonObject(value) ? [encode(message(), value)] : []);
}

/** A message with the one field `number`: members of a `oneof`, lists. */
function inside(number: number, write: Write): Write {
  return (value) => [Buffer.concat(occurrences(number, write(value)))];
}

/** An object whose keys are data: messages of `name = 1`, `value = 2`. */
function named(write: Write): Write {
  return (value) =>
    isJsonObject(value)
      ? Object.entries(value).map(([name, each]) =>
          Buffer.concat([...occurrences(1, [Buffer.from(name)]), ...occurrences(2, write(each))]),
        )
      : [];
}

function map(write: Write): Write {
  return inside(1, named(write));
}

const schema: Write = one(() => schemaMessage);
const operation: Write = one(() => operationMessage);

const schemaMessage: Message = {
  fields: [
    { number: 1, key: '$ref', write: text },
    { number: 2, key: 'format', write: text },
    { number: 4, key: 'description', write: text },
    { number: 5, key: 'default', write: any },
    { number: 19, key: 'required', write: texts },
    { number: 20, key: 'enum', write: list(any) },
    { number: 21, key: 'additionalProperties', write: inside(1, schema) },
    { number: 22, key: 'type', write: textItems },
    { number: 23, key: 'items', write: inside(1, schema) },
    { number: 25, key: 'properties', write: map(schema) },
  ],
  extensions: 31,
};

const bodyParameterMessage: Message = {
  fields: [
    { number: 2, key: 'name', write: text },
    { number: 3, key: 'in', write: text },
    { number: 4, key: 'required', write: flag },
    { number: 5, key: 'schema', write: schema },
  ],
};

const pathParameterMessage: Message = {
  fields: [
    { number: 1, key: 'required', write: flag },
    { number: 2, key: 'in', write: text },
    { number: 3, key: 'description', write: text },
    { number: 4, key: 'name', write: text },
    { number: 5, key: 'type', write: text },
    { number: 19, key: 'uniqueItems', write: flag },
  ],
};

const queryParameterMessage: Message = {
  fields: [
    { number: 2, key: 'in', write: text },
    { number: 3, key: 'description', write: text },
    { number: 4, key: 'name', write: text },
    { number: 6, key: 'type', write: text },
    { number: 20, key: 'uniqueItems', write: flag },
  ],
};

const bodyParameter = inside(
  1,
  one(() => bodyParameterMessage),
);
const queryParameter = inside(
  2,
  inside(
    3,
    one(() => queryParameterMessage),
  ),
);
const pathParameter = inside(
  2,
  inside(
    4,
    one(() => pathParameterMessage),
  ),
);

const parameter: Write = (value) => {
  const place = isJsonObject(value) ? value['in'] : undefined;
  if (place === 'body') return bodyParameter(value);
  return place === 'path' ? pathParameter(value) : queryParameter(value);
};

const referenceMessage: Message = { fields: [{ number: 1, key: '$ref', write: text }] };
const parameterReference = inside(
  2,
  one(() => referenceMessage),
);
const ownParameter = inside(1, parameter);
const parameterItem: Write = (value) =>
  isJsonObject(value) && value['$ref'] !== undefined ? parameterReference(value) : ownParameter(value);

const responseMessage: Message = {
  fields: [
    { number: 1, key: 'description', write: text },
    { number: 2, key: 'schema', write: inside(1, schema) },
  ],
};

const operationMessage: Message = {
  fields: [
    { number: 1, key: 'tags', write: texts },
    { number: 3, key: 'description', write: text },
    { number: 5, key: 'operationId', write: text },
    { number: 6, key: 'produces', write: texts },
    { number: 7, key: 'consumes', write: texts },
    { number: 8, key: 'parameters', write: list(parameterItem) },
    {
      number: 9,
      key: 'responses',
      write: map(
        inside(
          1,
          one(() => responseMessage),
        ),
      ),
    },
    { number: 10, key: 'schemes', write: texts },
  ],
  extensions: 13,
};

const pathItemMessage: Message = {
  fields: [
    { number: 2, key: 'get', write: operation },
    { number: 3, key: 'put', write: operation },
    { number: 4, key: 'post', write: operation },
    { number: 5, key: 'delete', write: operation },
    { number: 6, key: 'options', write: operation },
    { number: 7, key: 'head', write: operation },
    { number: 8, key: 'patch', write: operation },
    { number: 9, key: 'parameters', write: list(parameterItem) },
  ],
};

const apiKeyMessage: Message = {
  fields: [
    { number: 1, key: 'type', write: text },
    { number: 2, key: 'name', write: text },
    { number: 3, key: 'in', write: text },
    { number: 4, key: 'description', write: text },
  ],
};

const infoMessage: Message = {
  fields: [
    { number: 1, key: 'title', write: text },
    { number: 2, key: 'version', write: text },
  ],
};

const documentMessage: Message = {
  fields: [
    { number: 1, key: 'swagger', write: text },
    { number: 2, key: 'info', write: one(() => infoMessage) },
    { number: 8, key: 'paths', write: inside(2, named(one(() => pathItemMessage))) },
    { number: 9, key: 'definitions', write: map(schema) },
    { number: 10, key: 'parameters', write: map(parameter) },
    { number: 12, key: 'security', write: list(map(textItems)) },
    {
      number: 13,
      key: 'securityDefinitions',
      write: map(
        inside(
          2,
          one(() => apiKeyMessage),
        ),
      ),
    },
  ],
};
