import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue } from '../../src/api/json/json.ts';
import { prepareRules, ruleErrors } from '../../src/cel/rules/object-rules.ts';
import { customSchema } from '../../src/schema/custom/custom-schema.ts';
import type { JsonSchema } from '../../src/schema/custom/json-schema.ts';
import { leastCpuUs } from '../codecs/cpu-time.ts';
import type { TargetReport } from '../report.ts';
import type { Figure } from '../rows/row.ts';

interface StoredCase {
  readonly name: string;
  readonly rule: string;
  readonly schema: JsonSchema;
  readonly value?: JsonValue;
  readonly old?: JsonValue;
  /** In place of a value: one with a list of alike items, which `{n}` tells apart. */
  readonly repeat?: { readonly field: string; readonly count: number; readonly item: JsonValue };
}

interface RuleCase {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly value: JsonValue;
  readonly old?: JsonValue;
}

interface Measured {
  readonly name: string;
  readonly us: number;
  readonly violations: number;
}

/** One evaluation of rules as definitions have them: ours in this process, those of cel-go in a Go program. */
export async function measureCel({ withReference }: { readonly withReference: boolean }): Promise<TargetReport[]> {
  const cases = readCases();
  const own: Measured[] = [];
  for (const each of cases) own.push(await measureOwn(each));
  const reports = [{ target: 'Binnacle', figures: own.map(figureOf) }];
  if (!withReference) return reports;
  const theirs = measureGo(cases);
  for (const [index, { name, violations }] of own.entries()) {
    if (theirs[index]?.violations !== violations) throw new Error(`${name}: cel-go comes to another verdict`);
  }
  return [...reports, { target: 'cel-go', figures: theirs.map(figureOf) }];
}

function readCases(): readonly RuleCase[] {
  const stored = JSON.parse(readFileSync(join(import.meta.dirname, 'rules.json'), 'utf8')) as readonly StoredCase[];
  return stored.map(({ name, rule, schema, value = {}, old, repeat }) => ({
    name,
    schema: { ...schema, 'x-kubernetes-validations': [{ rule }] },
    value: repeat === undefined ? value : { [repeat.field]: repeated(repeat) },
    ...(old === undefined ? {} : { old }),
  }));
}

function repeated({ count, item }: NonNullable<StoredCase['repeat']>): JsonValue[] {
  const text = JSON.stringify(item);
  return Array.from({ length: count }, (_, index) => JSON.parse(text.replaceAll('{n}', String(index))) as JsonValue);
}

async function measureOwn({ name, schema, value, old }: RuleCase): Promise<Measured> {
  const tree = await prepareRules(schema);
  if (tree === undefined) throw new Error(`${name} has no rules`);
  const compiled = customSchema(schema, { type: 'object', goType: 'ObjectMeta' });
  const before = old === undefined ? undefined : { schema: compiled, value: old };
  const evaluate = () => ruleErrors(tree, { value, old: before, path: '' });
  return { name, us: leastCpuUs(evaluate), violations: (await evaluate()).length };
}

function measureGo(cases: readonly RuleCase[]): readonly Measured[] {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-cel-'));
  try {
    const program = join(folder, 'cel');
    const cwd = join(import.meta.dirname, 'go');
    execFileSync('go', ['build', '-o', program, '.'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    const env = { ...process.env, GOMAXPROCS: '1' };
    const lines = execFileSync(program, { input: JSON.stringify(cases), env, encoding: 'utf8' })
      .trim()
      .split('\n');
    return lines.map((line) => JSON.parse(line) as Measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figureOf({ name, us }: Measured): Figure {
  return { name, unit: 'us', value: us };
}
