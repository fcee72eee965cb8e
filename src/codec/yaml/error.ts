/** A body that is no YAML, or YAML that no JSON can say. The message is the reference's. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly code = 'YAML';
}

/** An error of the scanner, which stands at a line counted from 0; the first line is not told. */
export function scannerError(line: number, problem: string): YamlError {
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line + 1}: ${problem}`);
}

/** An error of the parser, which tells the line before the one that it means. */
export function parserError(line: number, problem: string): YamlError {
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
