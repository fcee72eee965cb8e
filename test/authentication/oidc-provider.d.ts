/** Only what tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Client {
    readonly clientId: string;
  }

  interface IdToken {
    scope: string;
    issue(options: { readonly use: 'idtoken' }): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    readonly Client: { find(id: string): Promise<Client> };
    readonly IdToken: new (claims: object, options: { readonly ctx: object; readonly client: Client }) => IdToken;
  }
}
