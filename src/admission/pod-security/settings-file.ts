import { duplicateField, type FieldError, invalidField } from '../../api/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../api/names.ts';
import { field, list, struct, text } from '../../schema/plain-schema.ts';
import { type PluginConfiguration, readPluginDocument, refuseFields } from '../configuration/plugin-document.ts';
import { levelProblem, levelVersionOf, type Mode, versionProblem } from './policy.ts';
import { type PodSecuritySettings, usualSettings } from './settings.ts';

const modes: readonly Mode[] = ['enforce', 'warn', 'audit'];
const defaults = struct(
  'PodSecurityDefaults',
  modes.flatMap((mode) => [field(mode, text), field(`${mode}-version`, text)]),
);
const exemptions = struct('PodSecurityExemptions', [
  ...[field('usernames', list(text)), field('namespaces', list(text)), field('runtimeClasses', list(text))],
]);
const form = {
  kind: 'PodSecurityConfiguration',
  versions: ['v1', 'v1beta1', 'v1alpha1'].map((version) => `pod-security.admission.config.k8s.io/${version}`),
  schema: struct('PodSecurityConfiguration', [
    ...[field('kind', text), field('apiVersion', text), field('defaults', defaults), field('exemptions', exemptions)],
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
  refuseFields(configuration, settingErrors(settings));
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

function settingErrors(settings: Settings): readonly FieldError[] {
  const { usernames, namespaces, runtimeClasses } = settings.exemptions ?? {};
  const userErrors = (name: string): readonly string[] => (name === '' ? ['username must not be empty'] : []);
  return [
    ...modes.flatMap((mode) => [
      ...fieldErrors(`defaults.${mode}`, levelText(settings, mode), levelProblem),
      ...fieldErrors(`defaults.${mode}-version`, versionText(settings, mode), versionProblem),
    ]),
    ...nameErrors('namespaces', namespaces, dnsLabelErrors),
    ...nameErrors('runtimeClasses', runtimeClasses, dnsSubdomainErrors),
    ...nameErrors('usernames', usernames, userErrors),
  ];
}

function fieldErrors(
  path: string,
  value: string,
  problemOf: (value: string) => string | undefined,
): readonly FieldError[] {
  const problem = problemOf(value);
  return problem === undefined ? [] : [invalidField(path, value, problem)];
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
