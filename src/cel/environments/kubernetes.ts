import { loadGoRegexp } from '../../api/go/go-regexp.ts';
import { cidrLibrary, ipLibrary } from '../libraries/addresses.ts';
import { authorizerLibrary, authorizerSelectorsLibrary } from '../libraries/authorizer.ts';
import type { Library } from '../libraries/define.ts';
import { formatLibrary } from '../libraries/formats.ts';
import { listExtensions, listsLibrary, listsLibraryV1 } from '../libraries/lists.ts';
import { optionalLibrary } from '../libraries/optionals.ts';
import { quantityLibrary } from '../libraries/quantities.ts';
import { regexLibrary } from '../libraries/regex.ts';
import { setsLibrary } from '../libraries/sets.ts';
import { stringsLibrary, stringsLibraryV0 } from '../libraries/strings.ts';
import { twoVariableLibrary } from '../libraries/two-variables.ts';
import { urlsLibrary } from '../libraries/urls.ts';
import { semverLibrary } from '../libraries/versions.ts';
import { Environment } from './environment.ts';
import { validateFormats, validateHomogeneousLiterals, validateLiterals, type Validator } from './validator.ts';

// The environments of Kubernetes by release: which libraries are available depends on the oldest server that must be
// able to read the expression.

/** A minor release: 37 is 1.37. */
export type Minor = number;

interface Versioned {
  /** First release that has it, */
  readonly since: Minor;
  /** and the first that no longer does. */
  readonly until?: Minor;
  readonly libraries?: readonly Library[];
  readonly validators?: readonly Validator[];
  readonly mixedComparisons?: true;
}

const table: readonly Versioned[] = [
  { since: 0, libraries: [urlsLibrary, regexLibrary], validators: [validateHomogeneousLiterals] },
  { since: 0, until: 37, libraries: [listsLibrary] },
  { since: 27, libraries: [authorizerLibrary] },
  { since: 28, mixedComparisons: true, libraries: [optionalLibrary, quantityLibrary] },
  { since: 29, validators: [validateLiterals] },
  { since: 0, until: 29, libraries: [stringsLibraryV0] },
  { since: 29, libraries: [stringsLibrary, setsLibrary], validators: [validateFormats] },
  { since: 30, libraries: [ipLibrary, cidrLibrary] },
  { since: 31, libraries: [formatLibrary, authorizerSelectorsLibrary] },
  { since: 32, libraries: [twoVariableLibrary] },
  { since: 33, libraries: [semverLibrary] },
  { since: 34, libraries: [listExtensions] },
  { since: 37, libraries: [listsLibraryV1] },
];

const made = new Map<Minor, Environment>();

/** For new and changed expressions: only what every server of the release understands. */
export function newExpressionEnvironment(compatibleWith: Minor): Environment {
  const known = made.get(compatibleWith);
  if (known !== undefined) return known;
  const rows = table.filter(({ since, until = Infinity }) => compatibleWith >= since && compatibleWith < until);
  const environment = Environment.of({
    libraries: rows.flatMap(({ libraries = [] }) => libraries),
    validators: rows.flatMap(({ validators = [] }) => validators),
    mixedComparisons: rows.some((row) => row.mixedComparisons === true),
  });
  made.set(compatibleWith, environment);
  return environment;
}

/** For stored expressions: whatever any release has accepted. */
export function storedExpressionEnvironment(): Environment {
  return newExpressionEnvironment(Number.MAX_SAFE_INTEGER);
}

/**
 * Loads the regular expression engine; to be awaited before expressions are compiled. A server without expressions
 * never loads it.
 */
export async function prepareExpressions(): Promise<void> {
  await loadGoRegexp();
}
