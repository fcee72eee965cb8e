import { joinedErrors } from '../../../api/text/error-texts.ts';
import { duplicateField, type FieldError, fieldErrorText, invalidField } from '../../../api/errors/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../../api/meta/names.ts';
import { field, list, struct, text } from '../../../schema/plain-schema.ts';
import {
  type PluginConfiguration,
  PluginConfigurationError,
  readPluginDocument,
} from '../../configuration/plugin-document.ts';
import { levelProblem, levelVersionOf, type Mode, versionProblem } from './policy.ts';
import { type PodSecuritySettings, usualSettings } from './settings.ts';

const modes: readonly Mode[] = ['enforce', 'warn', 'audit'];
const defaults = struct(
  'PodSecurityDefaults',
  modes.flatMap((mode) => [field(mode, text), field(`${mode}-version`, text)]),
);
const exemptions = struct('PodSecurityExemptions', [
  field('usernames', list(text)),
  field('namespaces', list(text)),
  field('runtimeClasses', list(text)),
]);
const form = {
  kind: 'PodSecurityConfiguration',
  versions: ['v1', 'v1beta1', 'v1alpha1'].map((version) => `pod-security.admission.config.k8s.io/${version}`),
  schema: struct('PodSecurityConfiguration', [
    field('kind', text),
    field('apiVersion', text),
    field('defaults', defaults),
    field('exemptions', exemptions),
  ]),
};

interface Settings {
  readonly defaults?: { readonly [name: string]: string };
  readonly exemptions?: {
    readonly usernames?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly runtimeClasses?: readonly string[];
  };
}

/** Throws a PluginConfigurationError. */
export async function readPodSecuritySettings(configuration: PluginConfiguration): Promise<PodSecuritySettings> {
  const document = await readPluginDocument(configuration, form);
  if (document === undefined) return usualSettings;
  const settings = document as Settings; // read by its schema
  refuseDefaults(configuration, settings);
  const errors = exemptionErrors(settings);
  if (errors.length > 0) {
    const why = `PodSecurity invalid: ${joinedErrors(errors.map(fieldErrorText))}`;
    throw new PluginConfigurationError(configuration.name, why, true);
  }
  const { usernames, namespaces, runtimeClasses } = settings.exemptions ?? {};
  const of = (mode: Mode) => levelVersionOf(levelText(settings, mode), versionText(settings, mode));
  return {
    defaults: { enforce: of('enforce'), audit: of('audit'), warn: of('warn') },
    exempt: {
      usernames: new Set(usernames),
      namespaces: new Set(namespaces),
      runtimeClasses: new Set(runtimeClasses),
    },
  };
}

function levelText({ defaults: given = {} }: Settings, mode: Mode): string {
  return (given[mode] ?? '') || 'privileged';
}

function versionText({ defaults: given = {} }: Settings, mode: Mode): string {
  return (given[`${mode}-version`] ?? '') || 'latest';
}

function refuseDefaults({ name }: PluginConfiguration, settings: Settings): void {
  const problems = modes.flatMap((mode) => {
    const [level, version] = [levelProblem(levelText(settings, mode)), versionProblem(versionText(settings, mode))];
    return [
      ...(level === undefined ? [] : [`${mode}: ${level}`]),
      ...(version === undefined ? [] : [`${mode}-version: ${version}`]),
    ];
  });
  if (problems.length === 0) return;
  throw new PluginConfigurationError(name, `PodSecurity configuration error: ${joinedErrors(problems)}`, true);
}

function exemptionErrors({ exemptions: given = {} }: Settings): readonly FieldError[] {
  const userErrors = (name: string): readonly string[] => (name === '' ? ['username must not be empty'] : []);
  return [
    ...nameErrors('namespaces', given.namespaces, dnsLabelErrors),
    ...nameErrors('runtimeClasses', given.runtimeClasses, dnsSubdomainErrors),
    ...nameErrors('usernames', given.usernames, userErrors),
  ];
}

function nameErrors(
  what: string,
  names: readonly string[] = [],
  errorsOf: (name: string) => readonly string[],
): readonly FieldError[] {
  return names.flatMap((name, index) => {
    const path = `exemptions.${what}[${index}]`;
    const errors = errorsOf(name);
    if (errors.length > 0) return [invalidField(path, name, errors.join(', '))];
    return names.indexOf(name) < index ? [duplicateField(path, name)] : [];
  });
}
