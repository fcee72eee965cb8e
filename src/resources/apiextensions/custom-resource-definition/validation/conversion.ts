import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../../api/errors/field-error.ts';
import { dns1035LabelErrors } from '../../../../api/meta/names.ts';
import { parseCertificate } from '../../../../codec/x509/certificate.ts';
import { DerError } from '../../../../codec/x509/der.ts';
import { readPem } from '../../../../codec/x509/pem.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { repetitions } from '../../../parts/rules/repetitions.ts';
import { type Errors, formErrors, isEmpty } from '../../../parts/rules/rules.ts';
import { webhookService, webhookUrl } from '../../../parts/webhook-clients.ts';

/** Checks that an update skips because the stored definition already fails them. */
export interface ConversionLeniency {
  readonly anyReviewVersion: boolean;
  readonly anyCaBundle: boolean;
}

const strategies = ['None', 'Webhook'];

export function* conversion(
  value: extensions.CustomResourceConversion,
  path: string,
  leniency: ConversionLeniency,
): Errors {
  const { strategy = '', webhook: { clientConfig, conversionReviewVersions: versions = [] } = {} } = value;
  if (strategy === '') yield requiredField(childPath(path, 'strategy'));
  else if (!strategies.includes(strategy)) yield notSupportedField(childPath(path, 'strategy'), strategy, strategies);
  // Their paths in the internal form.
  const clientPath = childPath(path, 'webhookClientConfig');
  const versionsPath = childPath(path, 'conversionReviewVersions');
  if (strategy === 'Webhook') {
    if (clientConfig === undefined) yield requiredField(clientPath, 'required when strategy is set to Webhook');
    else yield* client(clientConfig, clientPath, leniency);
    yield* reviewVersions(versions, versionsPath, leniency);
    return;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (clientConfig !== undefined) yield forbiddenField(clientPath, detail);
  if (versions.length > 0) yield forbiddenField(versionsPath, detail);
}

function* client(config: extensions.WebhookClientConfig, path: string, { anyCaBundle }: ConversionLeniency): Errors {
  const { url, service, caBundle } = config;
  if ((url === undefined) === (service === undefined)) {
    yield requiredField(path, 'exactly one of url or service is required');
  } else if (url !== undefined) yield* webhookUrl(url, childPath(path, 'url'));
  else if (service !== undefined) yield* webhookService(service, childPath(path, 'service'));
  if (!anyCaBundle && !isEmpty(caBundle)) yield* authorities(caBundle ?? '', childPath(path, 'caBundle'));
}

/** A base64-encoded PEM bundle of CA certificates. */
export function* authorities(bundle: string, path: string): Errors {
  const { blocks, rest } = readPem(Buffer.from(bundle, 'base64'));
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  let problem: string | undefined;
  for (const { bytes } of certificates) {
    const found = certificateProblem(bytes);
    if (found === undefined) return;
    problem ??= `failed to parse certificate: ${found}`;
  }
  const why = rest === '' ? 'no valid certificate authority data seen' : 'unable to parse bytes as PEM block';
  yield invalidField(path, bundle, `unable to load root certificates: ${problem ?? why}`);
}

function certificateProblem(bytes: Buffer): string | undefined {
  try {
    parseCertificate(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

const knownVersions: readonly string[] = ['v1', 'v1beta1'];

export function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => knownVersions.includes(version));
}

function* reviewVersions(versions: readonly string[], path: string, { anyReviewVersion }: ConversionLeniency): Errors {
  if (versions.length === 0) return yield requiredField(path);
  const isRepeated = repetitions();
  for (const [index, version] of versions.entries()) {
    const itemPath = keyPath(path, index);
    if (isRepeated(version)) yield invalidField(itemPath, version, 'duplicate version');
    else yield* formErrors(itemPath, version, dns1035LabelErrors(version));
  }
  if (!anyReviewVersion && !hasKnownVersion(versions)) {
    yield invalidField(path, [...versions], `must include at least one of ${knownVersions.join(', ')}`);
  }
}
