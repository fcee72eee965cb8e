import type { AttributeSelectors, AuthorizationAttributes, Authorizer } from '../../api/contracts/authorization.ts';
import { readableFieldSelector, readableLabelSelector } from '../../api/selectors/readable-selectors.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import { type AuthorizationQuestion, AuthorizerValue } from './authorizer.ts';

/** The variable `authorizer`: permissions of `user`, decided by the server's authorizers. */
export function boundAuthorizer(user: UserInfo, authorizer: Authorizer): AuthorizerValue {
  return AuthorizerValue.of(user, (question) => authorizer.authorize(attributesOf(question)));
}

function attributesOf(question: AuthorizationQuestion): AuthorizationAttributes {
  const { user, verb, path } = question;
  const { group = '', resource = '', subresource = '', namespace = '', name = '' } = question;
  const isResourceRequest = path === undefined;
  return {
    user,
    verb,
    isResourceRequest,
    path: path ?? '',
    group,
    version: isResourceRequest ? '*' : '',
    resource,
    subresource,
    namespace,
    name,
    selectors: selectorsOf(question),
  };
}

function selectorsOf({ fieldSelector, labelSelector }: AuthorizationQuestion): AttributeSelectors | undefined {
  if (fieldSelector === undefined && labelSelector === undefined) return undefined;
  return {
    fields: readableFieldSelector(fieldSelector ?? ''),
    labels: readableLabelSelector(labelSelector ?? ''),
  };
}
