import { childPath, invalidField, keyPath, requiredField } from '../../../../api/errors/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../../../api/meta/names.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { type Errors, isEmpty } from '../../../parts/rules/rules.ts';

type Names = extensions.CustomResourceDefinitionNames;

/** Names that a definition must have, but its status need not. */
export function* requiredNames(names: Names, path: string): Errors {
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (isEmpty(names[name])) yield requiredField(childPath(path, name));
  }
}

/** Reports all errors of a name in one message. */
export function* label(value: string, path: string, shown = value, intro = ''): Errors {
  const texts = dns1035LabelErrors(value);
  if (texts.length > 0) yield invalidField(path, shown, intro + texts.join(','));
}

const mixedCase = 'may have mixed case, but should otherwise match: ';

/** Validates the names of a definition or of its status. */
export function* definitionNames(names: Names, path: string): Errors {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  if (plural !== '') yield* label(plural, childPath(path, 'plural'));
  if (singular !== '') yield* label(singular, childPath(path, 'singular'));
  if (kind !== '') yield* label(kind.toLowerCase(), childPath(path, 'kind'), kind, mixedCase);
  const listPath = childPath(path, 'listKind');
  if (listKind !== '') yield* label(listKind.toLowerCase(), listPath, listKind, mixedCase);
  for (const [index, name] of shortNames.entries()) {
    yield* label(name, keyPath(childPath(path, 'shortNames'), index));
  }
  if (kind !== '' && kind === listKind) yield invalidField(listPath, listKind, 'kind and listKind may not be the same');
  for (const [index, name] of categories.entries()) {
    yield* label(name, keyPath(childPath(path, 'categories'), index));
  }
}

export function* definitionGroup(group: string, path: string): Errors {
  if (group === '') return yield requiredField(path);
  const texts = dnsSubdomainErrors(group);
  if (texts.length > 0) yield invalidField(path, group, texts.join(','));
  else if (!group.includes('.')) yield invalidField(path, group, 'should be a domain with at least one dot');
}
