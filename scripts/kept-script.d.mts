export function asKeptScript(
  text: string,
  scriptName: string,
): {
  readonly script: string;
  readonly module: string;
};
