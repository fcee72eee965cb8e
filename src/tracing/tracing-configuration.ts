import { ConfigError } from '../api/errors/config-error.ts';
import { joinedErrors } from '../api/text/error-texts.ts';
import { type FieldError, type FieldErrors, fieldErrorText, invalidField } from '../api/errors/field-error.ts';
import { GoUrlError, parseGoUrl } from '../api/go/go-url.ts';
import { formatApiVersion } from '../api/meta/group-version.ts';
import {
  ConfigurationDocumentError,
  type ConfigurationForm,
  readConfigurationDocument,
} from '../codec/configuration-document.ts';
import { field, int32, struct, text } from '../schema/plain-schema.ts';

/** `TracingConfiguration` of `apiserver.config.k8s.io`. */
export interface TracingConfiguration {
  /** The endpoint of a collector, as gRPC names it; absent: OpenTelemetry's default. */
  readonly endpoint?: string | null;
  /** The sampling rate of requests that do not say whether they are traced; absent: none is sampled. */
  readonly samplingRatePerMillion?: number | null;
}

const kind = 'TracingConfiguration';
const group = 'apiserver.config.k8s.io';
const mostPerMillion = 1_000_000;

/** Other configuration kinds, which the reference can decode but does not expect here. */
const others: ReadonlySet<string> = new Set([
  ...['AdmissionConfiguration', 'EncryptionConfiguration'].map((each) => `${group}/v1 ${each}`),
  ...['AuthenticationConfiguration', 'AuthorizationConfiguration'].flatMap((each) =>
    ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version} ${each}`),
  ),
  ...['v1beta1', 'v1alpha1'].map((version) => `apiserver.k8s.io/${version} EgressSelectorConfiguration`),
]);

const form: ConfigurationForm = {
  kind,
  assumed: { group, version: 'v1', kind },
  foreignError: (claimed) =>
    others.has(`${formatApiVersion(claimed.group, claimed.version)} ${claimed.kind}`)
      ? `converting (${claimed.version}.${claimed.kind}) to (apiserver.${kind}): unknown conversion`
      : undefined,
  versions: ['v1', 'v1beta1', 'v1alpha1'].map((version) => formatApiVersion(group, version)),
  schema: struct(kind, [
    field('kind', text),
    field('apiVersion', text),
    field('endpoint', text, true),
    field('samplingRatePerMillion', int32, true),
  ]),
};

/** The configuration in the text of a file. Throws a ConfigError in the reference's words. */
export async function parseTracingConfiguration(source: string): Promise<TracingConfiguration> {
  const configuration = await decoded(source);
  const errors = [...configurationErrors(configuration)].filter((error) => error !== undefined);
  if (errors.length === 0) return configuration;
  throw new ConfigError(`failed to validate tracing configuration: ${joinedErrors(errors.map(fieldErrorText))}`);
}

async function decoded(source: string): Promise<TracingConfiguration> {
  try {
    const { object } = readConfigurationDocument(source, form);
    return object as TracingConfiguration; // read by its schema
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError)) throw error;
    // There it is a struct in a struct of the same name.
    const message = error.message.replace(`struct field ${kind}.`, `struct field ${kind}.${kind}.`);
    const what = `unable to decode tracing configuration data: ${message}`;
    throw new ConfigError(`failed to read tracing config: ${what}`, { cause: error });
  }
}

function* configurationErrors({ samplingRatePerMillion, endpoint }: TracingConfiguration): FieldErrors {
  const rate = samplingRatePerMillion ?? 0;
  if (rate < 0) yield invalidField('samplingRatePerMillion', rate, 'sampling rate must be positive');
  if (rate > mostPerMillion) {
    const rule = 'sampling rate per million must be less than or equal to one million';
    yield invalidField('samplingRatePerMillion', rate, rule);
  }
  const error = typeof endpoint === 'string' ? endpointError(endpoint) : undefined;
  if (error !== undefined) yield error;
}

const schemes: ReadonlySet<string> = new Set(['dns', 'unix', 'unix-abstract']);

function endpointError(endpoint: string): FieldError | undefined {
  const url = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  try {
    const { scheme } = parseGoUrl(url);
    if (schemes.has(scheme)) return undefined;
    const rule = `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`;
    return invalidField('endpoint', url, rule);
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    return invalidField('endpoint', url, error.message);
  }
}
