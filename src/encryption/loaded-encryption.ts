import { createHash } from 'node:crypto';
import { joinedErrors } from '../api/text/error-texts.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { GroupResource } from '../api/meta/group-version.ts';
import { identity } from '../storage/encryption/identity.ts';
import { PrefixedTransformers, type PrefixedTransformer } from '../storage/encryption/prefixed.ts';
import type { ValueTransformer } from '../storage/encryption/transformer.ts';
import { EncryptionFileError } from './configuration/configuration-file.ts';
import type { EncryptionConfiguration, ProviderConfiguration } from './configuration/configuration-schema.ts';
import { anyResource, parseResourceName, writeResourceName } from './configuration/resource-name.ts';
import type { ProviderContext, UsedKms } from './provider.ts';
import { makeProvider } from './providers.ts';

/** What a rule of a configuration says of a resource. */
export interface ResourceRule {
  readonly transformer: ValueTransformer;
  /** The digest of its providers: configurations with equal digests read and write the same. */
  readonly digest: string;
}

/** A configuration in use. */
export interface LoadedEncryption {
  /** Undefined for resources that no rule names. */
  readonly ruleOf: (resource: GroupResource) => ResourceRule | undefined;
  readonly plugins: readonly UsedKms[];
  readonly close: () => void;
}

type LoadContext = Omit<ProviderContext, 'onClose'>;

interface MutableRule {
  readonly rows: PrefixedTransformer[];
  readonly providers: ProviderConfiguration[];
}

const failure = 'error while building transformers';

/** Opens what a valid configuration names. Throws an EncryptionFileError in the reference's words. */
export async function loadEncryption(
  { resources }: EncryptionConfiguration,
  context: LoadContext,
): Promise<LoadedEncryption> {
  using opened = new DisposableStack();
  const rules = new Map<string, MutableRule>();
  const plugins: UsedKms[] = [];
  for (const { resources: names, providers } of resources ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- in the order in which they are checked
    const made = await makeProviders(providers ?? [], { ...context, onClose: (close) => opened.defer(close) });
    plugins.push(...made.flatMap(({ kms }) => (kms === undefined ? [] : [kms])));
    for (const name of names ?? []) addRule(rules, name, { rows: made, providers: [...(providers ?? [])] });
  }
  const byName = new Map([...rules].map(([name, rule]) => [name, finished(rule, context)]));
  const closing = opened.move();
  return {
    plugins,
    ruleOf: (resource) =>
      byName.get(writeResourceName(resource)) ??
      byName.get(writeResourceName({ group: resource.group, resource: '*' })) ??
      byName.get(writeResourceName(anyResource)),
    close: () => closing.dispose(),
  };
}

async function makeProviders(providers: readonly ProviderConfiguration[], context: ProviderContext) {
  const made = [];
  for (const provider of providers) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- in the order in which they are checked
      made.push(await makeProvider(provider, context));
    } catch (error) {
      if (!(error instanceof EncryptionFileError)) throw error;
      throw new EncryptionFileError(`${failure}: ${error.message}`);
    }
  }
  return made;
}

/** Several rules may name a resource: their providers add up. Wildcards end that. */
function addRule(rules: Map<string, MutableRule>, given: string, { rows, providers }: MutableRule): void {
  const resource = parseResourceName(given);
  const name = writeResourceName(resource);
  const wildcards = [{ group: resource.group, resource: '*' }, anyResource].map(writeResourceName);
  const mask = wildcards.find((wildcard) => rules.has(wildcard));
  if (mask !== undefined) {
    throw new EncryptionFileError(`${failure}: resource ${goQuote(name)} is masked by earlier rule ${goQuote(mask)}`);
  }
  const rule = rules.get(name);
  if (rule === undefined) rules.set(name, { rows: [...rows], providers: [...providers] });
  else {
    rule.rows.push(...rows);
    rule.providers.push(...providers);
  }
}

function finished({ rows, providers }: MutableRule, { metrics: use }: LoadContext): ResourceRule {
  const text = JSON.stringify(providers);
  return {
    transformer: new PrefixedTransformers({ rows, unmatched: 'no matching prefix found', use }),
    digest: createHash('sha256').update(text).digest('base64'),
  };
}

/** What resources without a rule are written with. */
export const unencrypted: ResourceRule = { transformer: identity, digest: '' };

/** Rejects if one of the plugins is not healthy. One after the other, as the reference asks them. */
export async function checkPlugins(plugins: readonly UsedKms[]): Promise<void> {
  const errors: string[] = [];
  for (const [index, { check }] of plugins.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    await check().catch((error: unknown) => {
      errors.push(`kms-provider-${index}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  if (errors.length > 0) throw new Error(joinedErrors(errors));
}
