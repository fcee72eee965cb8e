// Formats of names, labels and annotations. Each rule returns its violations: an empty list for valid values.
// Patterns and messages are those of the API.

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
const wildcardSubdomain = `\\*\\.${dnsSubdomain}`;
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKey})?`;
const configMapKey = '[-._a-zA-Z0-9]+';
const cIdentifier = '[A-Za-z_][A-Za-z0-9_]*';
const percent = '[0-9]+%';
const httpHeaderName = '[-A-Za-z0-9]+';

interface Form {
  /** As messages show it. */
  readonly pattern: string;
  readonly expression: RegExp;
  readonly maxLength?: number;
  readonly message: string;
  readonly examples: readonly string[];
}

const forms = {
  dnsSubdomain: {
    pattern: dnsSubdomain,
    expression: new RegExp(`^(?:${dnsSubdomain})$`),
    maxLength: 253,
    message:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    examples: ['example.com'],
  },
  dnsLabel: {
    pattern: dnsLabel,
    expression: new RegExp(`^(?:${dnsLabel})$`),
    maxLength: 63,
    message:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    examples: ['my-name', '123-abc'],
  },
  dns1035Label: {
    pattern: dns1035Label,
    expression: new RegExp(`^(?:${dns1035Label})$`),
    maxLength: 63,
    message:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    examples: ['my-name', 'abc-123'],
  },
  wildcardSubdomain: {
    pattern: wildcardSubdomain,
    expression: new RegExp(`^(?:${wildcardSubdomain})$`),
    maxLength: 253,
    message:
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    examples: ['*.example.com'],
  },
  labelValue: {
    pattern: labelValue,
    expression: new RegExp(`^(?:${labelValue})$`),
    maxLength: 63,
    message:
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    examples: ['MyValue', 'my_value', '12345'],
  },
  configMapKey: {
    pattern: configMapKey,
    expression: new RegExp(`^(?:${configMapKey})$`),
    maxLength: 253,
    message: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    examples: ['key.name', 'KEY_NAME', 'key-name'],
  },
  cIdentifier: {
    pattern: cIdentifier,
    expression: new RegExp(`^(?:${cIdentifier})$`),
    message:
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    examples: ['my_name', 'MY_NAME', 'MyName'],
  },
  percent: {
    pattern: percent,
    expression: new RegExp(`^(?:${percent})$`),
    message: "a valid percent string must be a numeric string followed by an ending '%'",
    examples: ['1%', '93%'],
  },
  httpHeaderName: {
    pattern: httpHeaderName,
    expression: new RegExp(`^(?:${httpHeaderName})$`),
    message: "a valid HTTP header must consist of alphanumeric characters or '-'",
    examples: ['X-Header-Name'],
  },
} as const satisfies { readonly [name: string]: Form };

/** The message for a malformed value: rule, examples and pattern. */
export function patternMessage(message: string, pattern: string, examples: readonly string[] = []): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/**
 * Messages speak of characters for names and of bytes for label keys and values, and for names declared with the type;
 * the check counts bytes.
 */
export function maxLengthMessage(length: number, unit: 'characters' | 'bytes' = 'characters'): string {
  return `must be no more than ${length} ${unit}`;
}

const emptyMessage = 'must be non-empty';

function checkForm(form: Form, value: string, unit?: 'bytes'): string[] {
  const errors: string[] = [];
  if (form.maxLength !== undefined && Buffer.byteLength(value) > form.maxLength)
    errors.push(maxLengthMessage(form.maxLength, unit));
  if (!form.expression.test(value)) errors.push(patternMessage(form.message, form.pattern, form.examples));
  return errors;
}

export function dnsSubdomainErrors(value: string): string[] {
  return checkForm(forms.dnsSubdomain, value);
}

export function dnsLabelErrors(value: string, unit?: 'bytes'): string[] {
  const errors = checkForm(forms.dnsLabel, value, unit);
  if (forms.dnsLabel.expression.test(value) || !forms.dnsSubdomain.expression.test(value)) return errors;
  return [...errors.slice(0, -1), 'must not contain dots'];
}

/** As declared with the type of a field (`k8s-long-name`), in place of a function of the kind. */
export function longNameErrors(value: string): string[] {
  return checkForm(forms.dnsSubdomain, value, 'bytes');
}

/** As declared with the type of a field (`k8s-short-name`). */
export function shortNameErrors(value: string): string[] {
  return dnsLabelErrors(value, 'bytes');
}

export function dns1035LabelErrors(value: string): string[] {
  return checkForm(forms.dns1035Label, value);
}

export function wildcardSubdomainErrors(value: string): string[] {
  return checkForm(forms.wildcardSubdomain, value);
}

export function labelValueErrors(value: string): string[] {
  return checkForm(forms.labelValue, value, 'bytes');
}

export function configMapKeyErrors(value: string): string[] {
  return [...checkForm(forms.configMapKey, value), ...pathTraversalErrors(value)];
}

export function cIdentifierErrors(value: string): string[] {
  return checkForm(forms.cIdentifier, value);
}

export function percentErrors(value: string): string[] {
  return checkForm(forms.percent, value);
}

export function httpHeaderNameErrors(value: string): string[] {
  return checkForm(forms.httpHeaderName, value);
}

function pathTraversalErrors(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Label keys and everything named like them: `[prefix/]name`. */
export function qualifiedNameErrors(value: string): string[] {
  return isQualifiedName(value) ? [] : describeQualifiedName(value);
}

const wellFormedName = new RegExp(`^${labelKey}$`);

/** Fast path, as nearly every key is valid. The patterns accept single-byte characters only. */
function isQualifiedName(value: string): boolean {
  const slash = value.indexOf('/');
  if (slash === -1) return value.length <= 63 && wellFormedName.test(value);
  const name = value.slice(slash + 1);
  if (slash > 253 || name.length > 63 || !wellFormedName.test(name)) return false;
  return forms.dnsSubdomain.expression.test(value.slice(0, slash));
}

function describeQualifiedName(value: string): string[] {
  const message =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const shape = patternMessage(message, labelKey, ['MyName', 'my.name', '123-abc']);
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, value];
  if (prefix === '') errors.push(`prefix part ${emptyMessage}`);
  else if (prefix !== undefined) {
    errors.push(...checkForm(forms.dnsSubdomain, prefix, 'bytes').map((error) => `prefix part ${error}`));
  }
  if (name === '') errors.push(`name part ${emptyMessage}`);
  else if (Buffer.byteLength(name) > 63) errors.push(`name part ${maxLengthMessage(63, 'bytes')}`);
  if (!wellFormedName.test(name)) errors.push(`name part ${shape}`);
  return errors;
}

/** Names that form one path segment. */
export function pathSegmentErrors(name: string, prefix = false): string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** Port names of containers and services (IANA_SVC_NAME). */
export function portNameErrors(port: string): string[] {
  const errors: string[] = [];
  if (port.length > 15) errors.push(maxLengthMessage(15));
  if (!/^[-a-z0-9]+$/.test(port)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(port)) errors.push('must contain at least one letter (a-z)');
  if (port.includes('--')) errors.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** Makes a prefix checkable: a trailing dash is fine when a suffix follows. */
function withoutTrailingDash(value: string): string {
  return value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value;
}

/** Name rules of kinds, as strategies take them: `prefix` when the value is a `generateName`. */
export const nameRules = {
  dnsSubdomain: (name: string, prefix: boolean) => dnsSubdomainErrors(prefix ? withoutTrailingDash(name) : name),
  dnsLabel: (name: string, prefix: boolean) => dnsLabelErrors(prefix ? withoutTrailingDash(name) : name),
  dns1035Label: (name: string, prefix: boolean) => dns1035LabelErrors(prefix ? withoutTrailingDash(name) : name),
  pathSegment: pathSegmentErrors,
  /** A prefix must only be a part of a path. */
  longName: (name: string, prefix: boolean) => (prefix ? pathSegmentErrors(name, true) : longNameErrors(name)),
  /** Anything; once all else is right, the name has to be a path segment. */
  any: (): readonly string[] => [],
  /** A prefix must be a path segment, too. */
  wholePathSegment: (name: string) => pathSegmentErrors(name),
} as const;
