import type { Identity } from '../../api/contracts/authentication.ts';
import type { Egress, EgressWay } from '../../api/contracts/egress.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { ConfigError } from '../../api/errors/config-error.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { tokenRefusal } from '../token-refusal.ts';
import { ClaimMapper } from './claim-mapper.ts';
import type { JwtAuthenticator } from './configuration.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { IssuerCalls } from './issuer-calls.ts';
import { type IssuerOptions, OpenIdIssuer, TokenError } from './issuer.ts';

export interface JwtOptions extends Pick<IssuerOptions, 'clock' | 'onError' | 'stopped'> {
  readonly config: JwtAuthenticator;
  readonly algorithms: readonly string[];
  readonly egress: Egress | undefined;
  readonly keysFetched: (issuer: string, keySet: string | undefined) => void;
}

/** Authenticates by the ID tokens of one issuer. */
export class JwtIssuerAuthenticator {
  readonly url: string;
  readonly #issuer: OpenIdIssuer;
  readonly #mapper: ClaimMapper;
  readonly #distributed: DistributedClaims | undefined;

  /** `config` has been validated. Throws a ConfigError. */
  static open(options: JwtOptions): JwtIssuerAuthenticator {
    return new JwtIssuerAuthenticator(options, ClaimMapper.of(options.config));
  }

  private constructor(options: JwtOptions, mapper: ClaimMapper) {
    const { config, algorithms, egress, keysFetched, stopped } = options;
    const {
      url = '',
      discoveryURL,
      certificateAuthority = '',
      audiences = [],
      egressSelectorType = '',
    } = config.issuer ?? {};
    this.url = url;
    this.#mapper = mapper;
    const calls = new IssuerCalls(certificateAuthority, wayTo(egressSelectorType, egress));
    stopped.addEventListener('abort', () => calls.close(), { once: true });
    const issuerOptions: IssuerOptions = {
      ...options,
      trusted: { url, discoveryUrl: discoveryURL, audiences, algorithms },
      calls,
      keysFetched: (keySet) => keysFetched(url, keySet),
    };
    this.#issuer = new OpenIdIssuer(issuerOptions);
    const groups = config.claimMappings?.groups?.claim ?? '';
    if (groups !== '') this.#distributed = new DistributedClaims({ ...issuerOptions, keysFetched: () => {} }, groups);
  }

  /** Why no token can be verified; undefined when ready. */
  get problem(): string | undefined {
    return this.#issuer.problem;
  }

  get found(): Promise<void> {
    return this.#issuer.found;
  }

  /** The claims of a valid token. Throws a TokenError. */
  async #verified(token: string): Promise<JsonObject> {
    if (this.problem !== undefined) throw new TokenError('oidc: authenticator not initialized');
    try {
      return await this.#issuer.verify(token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw new TokenError(`oidc: verify token: ${error.message}`, { cause: error });
    }
  }

  /** A token of this issuer. Throws a 401. */
  async authenticate(token: string): Promise<Identity> {
    try {
      const claims = await this.#verified(token);
      const all = this.#distributed === undefined ? claims : await this.#distributed.expanded(claims);
      return { user: this.#mapper.userOf(all) };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw tokenRefusal(error.message);
    }
  }
}

/** The way to the network that an issuer names, which must be configured. `type` is valid. Throws a ConfigError. */
function wayTo(type: string, egress: Egress | undefined): EgressWay {
  if (type === '') return undefined;
  if (egress === undefined)
    throw new ConfigError(`oidc: egress lookup required with egress selector type ${goQuote(type)}`);
  const way = egress[type === 'cluster' ? 'cluster' : 'controlplane'];
  if (way === undefined) throw new ConfigError(`oidc: egress lookup for ${goQuote(type)} is not configured`);
  return way;
}
