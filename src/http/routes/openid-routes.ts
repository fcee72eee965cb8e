import type { JsonObject } from '../../api/json/json.ts';
import { methodNotAllowed } from '../../api/errors/status-errors.ts';
import type { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import {
  isDiscoverable,
  jwksPath,
  keySet,
  openIdConfiguration,
  openIdPath,
} from '../../authentication/service-account/openid-metadata.ts';
import { refuseUnrepresented } from '../negotiation/negotiate.ts';
import type { PathHandler, PathService } from './non-resource-routes.ts';
import { apiHeaders } from '../responses/respond.ts';

/** OIDC discovery: lets others verify service account tokens. Empty if the issuer is not an https URL. */
export function openIdRoutes(tokens: AccountTokens, address: () => string): readonly PathService[] {
  if (!isDiscoverable(tokens)) return [];
  return [
    { path: openIdPath, handle: documentHandler('application/json', () => openIdConfiguration(tokens, address())) },
    { path: jwksPath, handle: documentHandler('application/jwk-set+json', () => keySet(tokens)) },
  ];
}

function documentHandler(mediaType: string, make: () => Promise<JsonObject>): PathHandler {
  return async (context) => {
    const { exchange } = context;
    if (exchange.method !== 'GET') throw methodNotAllowed();
    refuseUnrepresented(exchange.header('accept'), [mediaType]);
    const body = JSON.stringify(await make());
    exchange.respond(200, { ...apiHeaders(context, mediaType), 'cache-control': 'public, max-age=3600' }, body);
  };
}
