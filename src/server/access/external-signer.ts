import { ConfigError } from '../../api/errors/config-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { ExternalSigner } from '../../authentication/service-account/external-signer.ts';
import type { ServerConfig } from '../config.ts';

/** Loaded if it is configured. Throws a ConfigError. */
export async function externalSigner(
  { authentication: { serviceAccounts } }: ServerConfig,
  context: PartContext,
): Promise<ExternalSigner | undefined> {
  const { signingEndpoint: endpoint, signingKeyFile, keyFiles } = serviceAccounts;
  if (endpoint === undefined) return undefined;
  if (signingKeyFile !== undefined || keyFiles.length > 0) {
    throw new ConfigError(
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    );
  }
  if (endpoint.startsWith('@') && !isSocketName(endpoint.slice(1))) {
    throw new ConfigError(
      `invalid value ${goQuote(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
    );
  }
  const { ExternalSigner: Signer } = await import('../../authentication/service-account/external-signer.ts');
  const signer = await Signer.open({ ...context, endpoint });
  const { maxExpirationSeconds: requestedSeconds } = serviceAccounts;
  if (requestedSeconds <= signer.maxExpirationSeconds) return signer;
  const most = `${requestedSeconds}s > ${signer.maxExpirationSeconds}s`;
  throw new ConfigError(
    `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${most}`,
  );
}

function isSocketName(name: string): boolean {
  return name.split('.').every((part) => /^[\w-]+$/.test(part));
}
