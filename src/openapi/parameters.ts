import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { describeByName, ownParameterText } from './descriptions.ts';
import { byName, type Parameter } from './operation.ts';

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const pretty = queryParameter('pretty', 'string');
export const namespaceParameter = {
  ...pathParameter('namespace', ownParameterText('namespace')),
  topic: 'namespace',
};
export const pathParameters = [pathParameter('path', ownParameterText('path'))];

export function nameParameter(kind: string): Parameter {
  return pathParameter('name', `Name of the ${kind}.`);
}

/** For `POST` and `PUT`. */
export const writeParameters: readonly Parameter[] = [
  queryParameter('dryRun', 'string'),
  queryParameter('fieldManager', 'string'),
  queryParameter('fieldValidation', 'string'),
];

export const patchParameters: readonly Parameter[] = [
  ...writeParameters.filter(({ name }) => name !== 'fieldManager'),
  queryParameter('fieldManager', 'string', 'fieldManager of a patch'),
  queryParameter('force', 'boolean'),
];

export function listParameters(): Parameter[] {
  return optionParameters(`${metaPackage}.ListOptions`);
}

export function deleteParameters(): Parameter[] {
  return optionParameters(`${metaPackage}.DeleteOptions`);
}

export function getParameters(): Parameter[] {
  return optionParameters(`${metaPackage}.GetOptions`);
}

/** The parameters of a list, without those of watches. */
export function deleteCollectionParameters(): Parameter[] {
  const ofList = listParameters().filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks');
  return [...ofList, ...deleteParameters()];
}

/** The fields of an options kind as query parameters. */
export function optionParameters(definition: string): Parameter[] {
  const schema = schemaByName(definition);
  if (schema?.structure === undefined) throw new Error(`no definition ${definition}`);
  const { fields, goName } = schema.structure;
  return (
    [...fields.values()]
      // Objects do not fit into a query, and times are omitted likewise.
      .filter(
        ({ name, schema: { name: definition } }) =>
          name !== 'apiVersion' && name !== 'kind' && definition === undefined,
      )
      .map((field): Parameter => {
        const parameter = queryParameter(field.name, parameterType(field.schema));
        const isOfThisKind = parameter.description === '' || field.name === 'path';
        return isOfThisKind
          ? { ...parameter, description: describeByName(goName, field), topic: undefined }
          : parameter;
      })
      .toSorted(byName)
  );
}

/** Lists are passed by repeating the parameter. */
function parameterType({ type, items }: Schema): Parameter['type'] {
  if (type === 'array' && items !== undefined) return parameterType(items);
  return type === 'integer' || type === 'boolean' || type === 'number' ? type : 'string';
}

function queryParameter(name: string, type: Parameter['type'], topic: string = name): Parameter {
  return { name, in: 'query', type, description: ownParameterText(topic), topic };
}

function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', type: 'string', description };
}
