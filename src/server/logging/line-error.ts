/** An error in a line of the log. */
export interface LineError {
  /** The message, and those of its causes. */
  readonly text: string;
  /** The stack of an error that is not known to happen, that is, a bug. */
  readonly stack: string | undefined;
}

const maxCauses = 5;

export function lineErrorOf(error: unknown): LineError {
  const chain = [error];
  while (chain.length <= maxCauses) {
    const last = chain.at(-1);
    if (!(last instanceof Error) || last.cause === undefined) break;
    chain.push(last.cause);
  }
  const texts = chain.map((each) => (each instanceof Error ? each.message : String(each)));
  // Messages often repeat that of the cause.
  const said = texts.filter((text, index) => index === 0 || texts[index - 1]?.includes(text) === false);
  const bug = chain.find((each) => each instanceof Error && !('code' in each));
  return { text: said.join(': caused by: '), stack: bug instanceof Error ? bug.stack : undefined };
}
