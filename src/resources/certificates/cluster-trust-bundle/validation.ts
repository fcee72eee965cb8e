import { invalidField, tooLongField } from '../../../api/errors/field-error.ts';
import { nameRules } from '../../../api/meta/names.ts';
import { type Certificate, parseCertificate } from '../../../codec/x509/certificate.ts';
import { DerError } from '../../../codec/x509/der.ts';
import { type PemBlock, pemBlocks } from '../../../codec/x509/pem.ts';
import type { ClusterTrustBundle } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { signerName } from '../../parts/rules/forms.ts';
import { type Errors, immutable } from '../../parts/rules/rules.ts';

const maxBundleBytes = 1024 * 1024;

/** A signer's bundles are prefixed with its name. */
export function bundleNameErrors(
  name: string,
  isPrefix: boolean,
  { spec }: Readonly<ClusterTrustBundle>,
): readonly string[] {
  const signer = spec?.signerName ?? '';
  if (signer === '') {
    if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return nameRules.dnsSubdomain(name, isPrefix);
  }
  const prefix = `${signer.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return nameRules.dnsSubdomain(name.slice(prefix.length), isPrefix);
  return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}

function* bundleSpec({ spec = {} }: ClusterTrustBundle): Errors {
  const { signerName: signer = '' } = spec;
  if (signer !== '') yield* signerName(signer, 'spec.signerName');
}

export function* trustBundle(bundle: ClusterTrustBundle): Errors {
  yield* bundleSpec(bundle);
  yield* trustAnchors(bundle.spec?.trustBundle ?? '', 'spec.trustBundle');
}

/** An unchanged bundle is not parsed again. */
export function* trustBundleUpdate(bundle: ClusterTrustBundle, old: ClusterTrustBundle): Errors {
  yield* bundleSpec(bundle);
  const text = bundle.spec?.trustBundle ?? '';
  if (text !== (old.spec?.trustBundle ?? '')) yield* trustAnchors(text, 'spec.trustBundle');
  yield* immutable(bundle.spec?.signerName ?? '', old.spec?.signerName ?? '', 'spec.signerName');
}

const omitted = '<value omitted>';

function* trustAnchors(text: string, path: string): Errors {
  if (Buffer.byteLength(text) > maxBundleBytes) return yield tooLongField(path, maxBundleBytes);
  const blocks = pemBlocks(text);
  const faults: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const fault = anchorFault(block);
    if (fault !== undefined) faults.push(`entry ${index} ${fault}`);
  }
  for (const fault of faults) yield invalidField(path, omitted, fault);
  if (faults.length > 0) return;
  if (blocks.length === 0) yield invalidField(path, omitted, 'at least one trust anchor must be provided');
  const indexes = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const key = bytes.toString('latin1');
    const list = indexes.get(key);
    if (list === undefined) indexes.set(key, [index]);
    else list.push(index);
  }
  for (const list of indexes.values()) {
    if (list.length > 1) yield invalidField(path, omitted, `duplicate trust anchor (indices [${list.join(' ')}])`);
  }
}

function anchorFault({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate = readCertificate(bytes);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.isAuthority ? undefined : 'does not have the CA bit set';
}

/** Undefined if malformed. */
export function readCertificate(bytes: Buffer): Certificate | undefined {
  try {
    return parseCertificate(bytes);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
