import { goQuote } from '../../api/go/go-quote.ts';
import { goAddress } from '../../api/json/go-value.ts';
import { GoUrlError, parseGoRequestUrl } from '../../api/go/go-url.ts';
import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../api/meta/names.ts';
import { hasFormat } from '../../schema/custom/text-formats.ts';
import { type CelType, listType, optionalType, structType, types } from '../types/cel-type.ts';
import { LibraryValue, Optional, type Value } from '../values/value.ts';
import { binary, constant, declare, global, type Library, member, unary } from './define.ts';

const { string } = types;
const formatType = structType('kubernetes.NamedFormat');

export class FormatValue extends LibraryValue {
  readonly name: string;
  readonly validate: (text: string) => readonly string[];
  /** Length of the pattern that validates it, which determines the cost. */
  readonly patternLength: number;

  constructor({ name, validate, patternLength }: Pick<FormatValue, 'name' | 'validate' | 'patternLength'>) {
    super();
    this.name = name;
    this.validate = validate;
    this.patternLength = patternLength;
  }

  get type(): CelType {
    return formatType;
  }

  get text(): string {
    return this.name;
  }

  override get hasText(): boolean {
    return false;
  }

  get goType(): string {
    return 'cel.Format';
  }

  override get syntax(): string {
    const validate = `(func(string) []string)(${goAddress})`;
    return `cel.Format{Name:${goQuote(this.name)}, ValidateFunc:${validate}, MaxRegexSize:${this.patternLength}}`;
  }

  override get isHashable(): boolean {
    return false;
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof FormatValue ? this.name === other.name : undefined;
  }
}

type Validate = (text: string) => readonly string[];

/** A prefix may end with a dash. */
function ofPrefix(validate: Validate): Validate {
  return (text) => validate(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function ofFormat(format: string, message: string): Validate {
  return (text) => (hasFormat(format, text) === true ? [] : [message]);
}

function uriErrors(text: string): readonly string[] {
  try {
    parseGoRequestUrl(text);
    return [];
  } catch (error) {
    if (error instanceof GoUrlError) return [error.message];
    throw error;
  }
}

/** `[function, name, check, pattern length]` */
const rows: readonly (readonly [string, string, Validate, number])[] = [
  ['dns1123Label', 'DNS1123Label', dnsLabelErrors, 30],
  ['dns1123Subdomain', 'DNS1123Subdomain', dnsSubdomainErrors, 60],
  ['dns1035Label', 'DNS1035Label', dns1035LabelErrors, 30],
  ['qualifiedName', 'QualifiedName', qualifiedNameErrors, 60],
  ['dns1123LabelPrefix', 'DNS1123LabelPrefix', ofPrefix(dnsLabelErrors), 30],
  ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', ofPrefix(dnsSubdomainErrors), 60],
  ['dns1035LabelPrefix', 'DNS1035LabelPrefix', ofPrefix(dns1035LabelErrors), 30],
  ['labelValue', 'LabelValue', labelValueErrors, 40],
  ['uri', 'URI', uriErrors, 1103],
  ['uuid', 'uuid', ofFormat('uuid', 'does not match the UUID format'), 70],
  ['byte', 'byte', ofFormat('byte', 'invalid base64'), 84],
  ['date', 'date', ofFormat('date', 'invalid date'), 71],
  ['datetime', 'datetime', ofFormat('datetime', 'invalid datetime'), 71],
];

const formats = new Map(
  rows.map(([key, name, validate, patternLength]) => [key, new FormatValue({ name, validate, patternLength })]),
);

export const formatLibrary: Library = {
  name: 'kubernetes.format',
  functions: [
    declare(
      'validate',
      member(
        'format-validate',
        [[formatType, string], optionalType(listType(string))],
        binary((format, text) => {
          const errors = (format as FormatValue).validate(text as string);
          return errors.length === 0 ? Optional.none : new Optional(errors);
        }),
      ),
    ),
    declare(
      'format.named',
      global(
        'format-named',
        [[string], optionalType(formatType)],
        unary((name) => {
          const format = formats.get(name as string);
          return format === undefined ? Optional.none : new Optional(format);
        }),
      ),
    ),
    ...[...formats].map(([key, format]) =>
      declare(`format.${key}`, global(`format.${key}`, [[], formatType], constant(format))),
    ),
  ],
};
