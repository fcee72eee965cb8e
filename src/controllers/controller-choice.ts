import { ConfigError } from '../api/config-error.ts';
import { goQuote } from '../api/go-quote.ts';
import type { ControllerRow } from './controller-table.ts';

/** All controllers that are enabled by default. */
const everything = '*';

/** `--controllers` names an unknown controller; the message is that of kube-controller-manager. */
export class ControllerChoiceError extends ConfigError {
  override readonly code = 'CONTROLLER_CHOICE';
}

/**
 * The enabled controllers in table order. `*` enables the defaults, `NAME` one controller, `-NAME` disables it; the
 * first mention wins. Throws ControllerChoiceError.
 */
export function chosenControllers(
  choice: readonly string[],
  table: readonly ControllerRow[],
): readonly ControllerRow[] {
  const named = choice.filter((text) => text !== everything);
  const unknown = named.map(nameIn).filter((name) => !table.some((row) => isCalled(row, name)));
  if (unknown.length > 0) {
    const texts = unknown.map((name) => `${goQuote(name)} is not in the list of known controllers`);
    throw new ControllerChoiceError(texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`);
  }
  return table.filter((row) => {
    const said = named.find((text) => isCalled(row, nameIn(text)));
    if (said !== undefined) return !said.startsWith('-');
    return choice.includes(everything) && row.isOffByDefault !== true;
  });
}

function nameIn(text: string): string {
  return text.startsWith('-') ? text.slice(1) : text;
}

function isCalled({ name, aliases = [] }: ControllerRow, text: string): boolean {
  return name === text || aliases.includes(text);
}
