import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { currentRelease } from '../../src/schema/kubernetes/api-enablement.ts';
import { gatesOfRules } from '../../src/api/errors/field-error.ts';
import { featureGatesOf } from '../../src/schema/kubernetes/feature-gates.ts';
import { fieldsOff } from '../../src/schema/kubernetes/gated-fields.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import { gatesWithoutEffect } from './without-effect.ts';

const root = join(import.meta.dirname, '../../src');
const all = featureGatesOf(currentRelease).map(({ name }) => name);
const listed = gatesWithoutEffect.flatMap(({ gates }) => gates);

/** Gates that the server's code queries by name, or that a row in its tables names. */
function askedFor(): ReadonlySet<string> {
  const files = globSync('**/*.ts', { cwd: root }).filter(
    (path) => !path.includes('generated') && !path.endsWith('.test.ts'),
  );
  const sourceOf = (paths: readonly string[]): string =>
    paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const text = sourceOf(files);
  const rows = sourceOf(files.filter((path) => /^(authorization|http|server)\//.test(path)));
  return new Set(all.filter((name) => text.includes(`.get('${name}')`) || rows.includes(` gate: '${name}'`)));
}

/** Gates of fields, resources or rules. */
function ofTables(): ReadonlySet<string> {
  const ofFields = all.filter((name) => fieldsOff(new Map([[name, false]])).gates.size > 0);
  const ofResources = builtInResources().flatMap(({ featureGate }) => featureGate ?? []);
  return new Set([...ofFields, ...ofResources, ...gatesOfRules]);
}

const effective = new Set([...askedFor(), ...ofTables()]);

describe('gates', () => {
  test('every one has an effect or is listed with a reason', () => {
    const named = new Set([...effective, ...listed]);
    expect(all.filter((name) => !named.has(name))).toEqual([]);
  });

  test('listed ones have no effect, and are listed once', () => {
    expect(listed.filter((name) => effective.has(name))).toEqual([]);
    expect(listed.filter((name, index) => listed.indexOf(name) !== index)).toEqual([]);
  });

  test('listed ones are gates of the release', () => {
    expect(listed.filter((name) => !all.includes(name))).toEqual([]);
  });
});
