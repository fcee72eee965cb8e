import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import {
  any,
  double,
  encodeDocument,
  flag,
  inside,
  integer,
  list,
  map,
  type Message,
  named,
  one,
  operations,
  orReference,
  text,
  texts,
  type Write,
} from './gnostic-message.ts';

/*
 * Version 3 documents in protobuf: `openapi.v3.Document`. The tables list the keys that this server's documents use,
 * and all schema keys.
 */

/** Encodes an OpenAPI version 3 document. */
export function encodeV3(document: JsonObject): Buffer {
  const { paths, components } = document;
  return encodeDocument(documentMessage, document, [
    { message: pathItemMessage, objects: paths },
    { message: schemaMessage, objects: isJsonObject(components) ? components['schemas'] : undefined },
  ]);
}

const schema: Write = orReference(one(() => schemaMessage));

/** `oneof { SchemaOrReference schema_or_reference = 1; bool boolean = 2; }` */
const additionalProperties: Write = (value) =>
  typeof value === 'boolean' ? inside(2, () => [Number(value)])(value) : inside(1, schema)(value);

/** `oneof { double number = 1; bool boolean = 2; string string = 3; }`; other defaults are omitted. */
const defaultValue: Write = (value) => {
  switch (typeof value) {
    case 'number':
      return inside(1, () => [Float64Array.of(value)])(value);
    case 'boolean':
      return inside(2, () => [Number(value)])(value);
    case 'string':
      return inside(3, () => [Buffer.from(value)])(value);
    default:
      return [Buffer.alloc(0)];
  }
};

const schemaMessage: Message = {
  fields: [
    { number: 1, key: 'nullable', write: flag },
    { number: 7, key: 'example', write: any },
    { number: 8, key: 'deprecated', write: flag },
    { number: 9, key: 'title', write: text },
    { number: 10, key: 'multipleOf', write: double },
    { number: 11, key: 'maximum', write: double },
    { number: 12, key: 'exclusiveMaximum', write: flag },
    { number: 13, key: 'minimum', write: double },
    { number: 14, key: 'exclusiveMinimum', write: flag },
    { number: 15, key: 'maxLength', write: integer },
    { number: 16, key: 'minLength', write: integer },
    { number: 17, key: 'pattern', write: text },
    { number: 18, key: 'maxItems', write: integer },
    { number: 19, key: 'minItems', write: integer },
    { number: 20, key: 'uniqueItems', write: flag },
    { number: 21, key: 'maxProperties', write: integer },
    { number: 22, key: 'minProperties', write: integer },
    { number: 23, key: 'required', write: texts },
    { number: 24, key: 'enum', write: list(any) },
    { number: 25, key: 'type', write: text },
    { number: 26, key: 'allOf', write: list(schema) },
    { number: 27, key: 'oneOf', write: list(schema) },
    { number: 28, key: 'anyOf', write: list(schema) },
    { number: 29, key: 'not', write: one(() => schemaMessage) },
    { number: 30, key: 'items', write: inside(1, list(schema)) },
    { number: 31, key: 'properties', write: map(schema) },
    { number: 32, key: 'additionalProperties', write: additionalProperties },
    { number: 33, key: 'default', write: defaultValue },
    { number: 34, key: 'description', write: text },
    { number: 35, key: 'format', write: text },
  ],
  extensions: 36,
};

const mediaTypeMessage: Message = { fields: [{ number: 1, key: 'schema', write: schema }] };
const content = map(one(() => mediaTypeMessage));

const parameterMessage: Message = {
  fields: [
    { number: 1, key: 'name', write: text },
    { number: 2, key: 'in', write: text },
    { number: 3, key: 'description', write: text },
    { number: 4, key: 'required', write: flag },
    { number: 10, key: 'schema', write: schema },
  ],
};

const requestBodyMessage: Message = {
  fields: [
    { number: 1, key: 'description', write: text },
    { number: 2, key: 'content', write: content },
    { number: 3, key: 'required', write: flag },
  ],
};

const responseMessage: Message = {
  fields: [
    { number: 1, key: 'description', write: text },
    { number: 3, key: 'content', write: content },
  ],
};

const parameters = list(orReference(one(() => parameterMessage)));

const operationMessage: Message = {
  fields: [
    { number: 1, key: 'tags', write: texts },
    { number: 3, key: 'description', write: text },
    { number: 5, key: 'operationId', write: text },
    { number: 6, key: 'parameters', write: parameters },
    { number: 7, key: 'requestBody', write: orReference(one(() => requestBodyMessage)) },
    { number: 8, key: 'responses', write: inside(2, named(orReference(one(() => responseMessage)))) },
  ],
  extensions: 13,
};

const operation = one(() => operationMessage);

const pathItemMessage: Message = {
  fields: [...operations(4, operation), { number: 13, key: 'parameters', write: parameters }],
};

const securitySchemeMessage: Message = {
  fields: [
    { number: 1, key: 'type', write: text },
    { number: 2, key: 'description', write: text },
    { number: 3, key: 'name', write: text },
    { number: 4, key: 'in', write: text },
  ],
};

const componentsMessage: Message = {
  fields: [
    { number: 1, key: 'schemas', write: map(schema) },
    { number: 7, key: 'securitySchemes', write: map(orReference(one(() => securitySchemeMessage))) },
  ],
};

const infoMessage: Message = {
  fields: [
    { number: 1, key: 'title', write: text },
    { number: 6, key: 'version', write: text },
  ],
};

const documentMessage: Message = {
  fields: [
    { number: 1, key: 'openapi', write: text },
    { number: 2, key: 'info', write: one(() => infoMessage) },
    { number: 4, key: 'paths', write: inside(1, named(one(() => pathItemMessage))) },
    { number: 5, key: 'components', write: one(() => componentsMessage) },
  ],
};
