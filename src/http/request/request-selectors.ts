import type { AttributeSelectors } from '../../api/contracts/authorization.ts';
import type { FieldSelector } from '../../api/selectors/field-selector.ts';
import type { LabelSelector } from '../../api/selectors/label-selector.ts';
import { readableFieldSelector, readableLabelSelector } from '../../api/selectors/readable-selectors.ts';
import type { RequestInfo } from './request-info.ts';

const selecting: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** The selectors of a request as authorizers see them, parsed on demand: few authorizers look at them. */
export class RequestSelectors implements AttributeSelectors {
  readonly #fieldText: string;
  readonly #labelText: string;
  #fields: FieldSelector | undefined;
  #labels: LabelSelector | undefined;

  private constructor(fieldText: string, labelText: string) {
    this.#fieldText = fieldText;
    this.#labelText = labelText;
  }

  /** Undefined for requests without selectors, and for legacy watch paths, some of which do not support them. */
  static of({ verb, isVerbInPath }: RequestInfo, query: URLSearchParams): RequestSelectors | undefined {
    if (query.size === 0 || isVerbInPath || !selecting.has(verb)) return undefined;
    const fieldText = query.get('fieldSelector') ?? '';
    const labelText = query.get('labelSelector') ?? '';
    return fieldText === '' && labelText === '' ? undefined : new RequestSelectors(fieldText, labelText);
  }

  get fields(): FieldSelector {
    this.#fields ??= readableFieldSelector(this.#fieldText);
    return this.#fields;
  }

  get labels(): LabelSelector {
    this.#labels ??= readableLabelSelector(this.#labelText);
    return this.#labels;
  }
}
