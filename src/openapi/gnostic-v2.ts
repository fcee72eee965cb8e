import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import {
  any,
  encodeDocument,
  flag,
  inside,
  list,
  map,
  type Message,
  named,
  one,
  operations,
  orReference,
  text,
  textItems,
  texts,
  type Write,
} from './gnostic-message.ts';

/*
 * The version 2 document in protobuf: `openapi.v2.Document`. The tables list only the keys that this server's documents
 * use.
 */

/** Encodes an OpenAPI version 2 document. */
export function encodeV2(document: JsonObject): Buffer {
  return encodeDocument(documentMessage, document, [
    { message: pathItemMessage, objects: document['paths'] },
    { message: schemaMessage, objects: document['definitions'] },
  ]);
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

const parameterItem = orReference(parameter);

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
  fields: [...operations(2, operation), { number: 9, key: 'parameters', write: list(parameterItem) }],
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
