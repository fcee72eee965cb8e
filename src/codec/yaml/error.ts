/** Invalid YAML, or YAML that JSON cannot represent. The message is the reference's. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly code = 'YAML';
}

/** A scanner error at a line counted from 0; the first line is not named. */
export function scannerError(line: number, problem: string): YamlError {
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line + 1}: ${problem}`);
}

/** A parser error, which names the line before the actual one. */
export function parserError(line: number, problem: string): YamlError {
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
