import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Authenticator, PresentedToken } from '../../api/contracts/authentication.ts';
import { ConfigError } from '../../api/errors/config-error.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { type FieldError, fieldErrorText, forbiddenField } from '../../api/errors/field-error.ts';
import { allOf } from '../../api/errors/findings.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { hashOf } from '../../api/metrics/hash-label.ts';
import type { MetricLabels } from '../../api/metrics/metric.ts';
import { ReloadMetrics, serverLabel } from '../../api/metrics/reload-metrics.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { prepareExpressions } from '../../cel/environments/kubernetes.ts';
import { untrustedIssuer } from '../service-account/jws.ts';
import { tokenAlgorithms } from '../service-account/token-algorithms.ts';
import type { AuthenticationConfig } from '../authentication-config.ts';
import { type AnonymousSection, type AuthenticationConfiguration, readConfiguration } from './configuration.ts';
import { configurationOf } from './flags.ts';
import { compileAhead, forgetCompiled } from './expressions.ts';
import { expressionsOf } from './expression-validation.ts';
import { withScheme } from './issuer.ts';
import { JwtIssuerAuthenticator } from './jwt-authenticator.ts';
import { keyMetrics, latencyMetric } from './metrics.ts';
import { validateAuthenticator, validateConfiguration } from './validation.ts';

/** Timeout for the discovery of the issuers of a changed configuration. */
const findingMs = 60_000;
const forgettingMs = 90_000;

export interface ConfiguredContext extends Pick<
  PartContext,
  'clock' | 'onError' | 'onStop' | 'readFile' | 'metric' | 'egress'
> {
  readonly config: AuthenticationConfig;
  /** This server's id in metrics. */
  readonly serverId: string;
}

/** OpenID Connect as configured by flags or by a file. */
export interface ConfiguredAuthentication {
  readonly tokens: Authenticator<PresentedToken>;
  /** Undefined when the file does not configure it. */
  readonly anonymous: AnonymousSection | undefined;
}

/** Throws a ConfigError. */
export async function configuredAuthentication(context: ConfiguredContext): Promise<ConfiguredAuthentication> {
  const { config } = context;
  await prepareExpressions();
  const followed =
    config.configFile === undefined ? undefined : await FollowedConfiguration.open(context, config.configFile);
  const configuration = followed?.configuration ?? (await configurationOf(config.oidc, context.readFile));
  checkAnonymous(configuration, config);
  const errors = allOf(validateConfiguration(configuration, []));
  if (errors.length > 0) throw new ConfigError(`invalid authentication configuration: ${errorsText(errors)}`);
  const issuers = await ConfiguredIssuers.open(context, configuration);
  followed?.start(issuers);
  return { tokens: issuers, anonymous: configuration.anonymous };
}

function checkAnonymous({ anonymous }: AuthenticationConfiguration, { anonymousGiven }: AuthenticationConfig): void {
  if (anonymous === undefined || !anonymousGiven) return;
  throw new ConfigError(
    'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
  );
}

function errorsText(errors: readonly FieldError[]): string {
  return joinedErrors(errors.map(fieldErrorText));
}

/** The issuers of one configuration; discovery goes on until `stop`. */
interface Generation {
  readonly issuers: readonly JwtIssuerAuthenticator[];
  readonly stop: AbortController;
}

/** Authenticates by tokens of the currently configured issuers. */
class ConfiguredIssuers implements Authenticator<PresentedToken> {
  readonly #context: ConfiguredContext;
  readonly #keys: ReturnType<typeof keyMetrics>;
  readonly #timed: ReturnType<typeof latencyMetric>;
  #now: Generation = { issuers: [], stop: new AbortController() };
  readonly #living = new Set<AbortController>();
  #stopped = false;

  private constructor(context: ConfiguredContext) {
    this.#context = context;
    this.#keys = keyMetrics(context, context.serverId);
    this.#timed = latencyMetric(context);
    context.onStop(() => {
      this.#stopped = true;
      for (const stop of this.#living) stop.abort();
    });
  }

  /** Throws a ConfigError. */
  static async open(
    context: ConfiguredContext,
    configuration: AuthenticationConfiguration,
  ): Promise<ConfiguredIssuers> {
    const issuers = new ConfiguredIssuers(context);
    issuers.#now = await issuers.#generation(configuration);
    return issuers;
  }

  authenticate({ token }: PresentedToken) {
    const issuedBy = untrustedIssuer(token);
    if (issuedBy === undefined) return undefined;
    const url = withScheme(issuedBy);
    const issuer = this.#now.issuers.find((each) => each.url === url);
    return issuer === undefined ? undefined : this.#timed(url, issuer.authenticate(token));
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Switches to the issuers of another configuration once all of them have been discovered; returns why they have not
   * been. Throws a ConfigError for a configuration that cannot be used at all.
   */
  async replace(configuration: AuthenticationConfiguration): Promise<string | undefined> {
    const next = await this.#generation(configuration);
    const late = sleep(findingMs, undefined, { ref: false, signal: next.stop.signal }).catch(() => undefined);
    await Promise.race([late, Promise.all(next.issuers.map(({ found }) => found))]);
    const problems = next.issuers.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
    if (problems.length > 0) {
      next.stop.abort();
      return joinedErrors(problems);
    }
    const old = this.#now;
    this.#now = next;
    this.#retire(old, new Set(next.issuers.map(({ url }) => url)));
    return undefined;
  }

  /** Requests in flight may still use the previous issuers. */
  #retire(old: Generation, kept: ReadonlySet<string>): void {
    setTimeout(() => {
      old.stop.abort();
      for (const { url } of old.issuers) if (!kept.has(url)) this.#keys.forget(url);
    }, forgettingMs).unref();
  }

  /** Throws a ConfigError. */
  async #generation(configuration: AuthenticationConfiguration): Promise<Generation> {
    const stop = new AbortController();
    this.#living.add(stop);
    stop.signal.addEventListener('abort', () => this.#living.delete(stop), { once: true });
    try {
      return { issuers: await this.#open(configuration, stop.signal), stop };
    } catch (error) {
      stop.abort();
      throw error;
    }
  }

  async #open({ jwt = [] }: AuthenticationConfiguration, stopped: AbortSignal): Promise<JwtIssuerAuthenticator[]> {
    const { clock, onError, config, egress } = this.#context;
    const algorithms = algorithmsOf(config);
    const issuers: JwtIssuerAuthenticator[] = [];
    for (const each of jwt) {
      // oxlint-disable-next-line no-await-in-loop -- requests run in between
      const errors = allOf(validateAuthenticator(each, config.serviceAccounts.issuers, ''));
      if (errors.length > 0) throw new ConfigError(errorsText(errors));
      // oxlint-disable-next-line no-await-in-loop -- the same
      const issuer = JwtIssuerAuthenticator.open({
        config: each,
        algorithms,
        egress,
        clock,
        onError,
        stopped,
        keysFetched: (url, keySet) => {
          if (!stopped.aborted) this.#keys.fetched(url, keySet);
        },
      });
      issuers.push(issuer);
    }
    return issuers;
  }
}

/** A file may allow any algorithm, as it is the issuer's key that counts. Throws a ConfigError. */
function algorithmsOf({ configFile, oidc }: AuthenticationConfig): readonly string[] {
  if (configFile !== undefined) return tokenAlgorithms.toSorted();
  const wrong = oidc.signingAlgs.find((algorithm) => !tokenAlgorithms.includes(algorithm));
  if (wrong !== undefined) throw new ConfigError(`oidc: unsupported signing alg: ${goQuote(wrong)}`);
  return oidc.signingAlgs.length === 0 ? ['RS256'] : oidc.signingAlgs;
}

/** A configuration file that is reread when it changes; an invalid one leaves the previous configuration in place. */
class FollowedConfiguration {
  readonly configuration: AuthenticationConfiguration;
  readonly #context: ConfiguredContext;
  readonly #metrics: ReloadMetrics;
  readonly #server: MetricLabels;
  readonly #issuers = Promise.withResolvers<ConfiguredIssuers>();
  #latest: string;

  private constructor(context: ConfiguredContext, text: string, configuration: AuthenticationConfiguration) {
    this.#context = context;
    this.#latest = text;
    this.configuration = configuration;
    this.#metrics = new ReloadMetrics(context, {
      prefix: 'apiserver_authentication_config_controller',
      what: 'the authentication configuration',
    });
    this.#server = serverLabel(context.serverId);
    this.#metrics.inUse(hashOf(text), this.#server);
  }

  static async open(context: ConfiguredContext, path: string): Promise<FollowedConfiguration> {
    const opened = Promise.withResolvers<FollowedConfiguration>();
    const text = await context.readFile(path, async (later) => (await opened.promise).changed(later));
    try {
      const followed = new FollowedConfiguration(context, text, await readConfiguration(text));
      opened.resolve(followed);
      return followed;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const what = `failed to load authentication configuration from file ${goQuote(path)}`;
      throw new ConfigError(`${what}: ${error.message}`, { cause: error });
    }
  }

  /** Changes are applied from now on; earlier ones have waited. */
  start(issuers: ConfiguredIssuers): void {
    this.#issuers.resolve(issuers);
  }

  async changed(text: string): Promise<void> {
    this.#latest = text;
    try {
      const configuration = await this.#read(text);
      await this.#use(configuration, text);
    } catch (error) {
      this.#metrics.ended('failure', this.#server);
      throw error;
    } finally {
      forgetCompiled();
    }
  }

  async #read(text: string): Promise<AuthenticationConfiguration> {
    const configuration = await readConfiguration(text);
    await compileAhead(expressionsOf(configuration));
    const { issuers } = this.#context.config.serviceAccounts;
    const errors = allOf(validateConfiguration(configuration, issuers));
    if (!isDeepStrictEqual(configuration.anonymous, this.configuration.anonymous)) {
      errors.push(forbiddenField('anonymous', 'changed from initial configuration file'));
    }
    if (errors.length > 0) throw new ConfigError(errorsText(errors));
    return configuration;
  }

  /** Discovery of unreachable issuers is retried. */
  async #use(configuration: AuthenticationConfiguration, text: string): Promise<void> {
    const issuers = await this.#issuers.promise;
    while (this.#latest === text && !issuers.stopped) {
      // oxlint-disable-next-line no-await-in-loop -- until it works
      const problem = await issuers.replace(configuration);
      if (problem === undefined) {
        this.#metrics.inUse(hashOf(text), this.#server);
        this.#metrics.ended('success', this.#server);
        return;
      }
      this.#metrics.ended('failure', this.#server);
      this.#context.onError(new ConfigError(problem));
    }
  }
}
