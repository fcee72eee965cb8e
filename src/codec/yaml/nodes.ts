import { checkCollections } from '../body-limits.ts';
import { decodeYamlText } from './decode-text.ts';
import { YamlError } from './error.ts';
import { DocumentEvents, type NodeProperties, type YamlEvent } from './events.ts';

/** A node of a document. Aliases are not resolved: each counts by itself. */
export type YamlNode = YamlScalar | YamlCollection | YamlAlias;

export interface YamlScalar extends NodeProperties {
  readonly kind: 'scalar';
  readonly value: string;
  /** Plain: the type depends on the text. */
  readonly isImplicit: boolean;
}

export interface YamlCollection extends NodeProperties {
  readonly kind: 'sequence' | 'mapping';
  /** For mappings: alternating keys and values. */
  readonly children: YamlNode[];
}

export interface YamlAlias {
  readonly kind: 'alias';
  readonly line: number;
  readonly anchor: string;
  /** If it is still incomplete, it contains itself. */
  readonly target: YamlScalar | YamlCollection;
}

/** The first document of a stream; undefined when there is none. Throws YamlError and BodyLimitError. */
export function readNodes(bytes: Uint8Array): YamlNode | undefined {
  const events = new DocumentEvents(decodeYamlText(bytes));
  if (!events.start()) return undefined;
  const anchors = new Map<string, YamlScalar | YamlCollection>();
  const open: YamlCollection[] = [];
  let collections = 0;
  for (;;) {
    const node = nodeOf(events.next(), anchors);
    const finished = node ?? open.pop();
    if (finished === undefined) throw new Error('unmatched end event'); // start and end events are paired
    if (node === undefined || node.kind === 'scalar' || node.kind === 'alias') {
      open.at(-1)?.children.push(finished);
      if (open.length > 0) continue;
      events.finish();
      return finished;
    }
    checkCollections(++collections);
    open.push(node);
  }
}

/** A node, of which a collection is still empty; undefined at the end of a collection. */
function nodeOf(event: YamlEvent, anchors: Map<string, YamlScalar | YamlCollection>): YamlNode | undefined {
  if (event.type === 'end') return undefined;
  if (event.type === 'alias') {
    const target = anchors.get(event.anchor);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${event.anchor}' referenced`);
    return { kind: 'alias', line: event.line, anchor: event.anchor, target };
  }
  const { line, anchor, tag } = event;
  const node: YamlScalar | YamlCollection =
    event.type === 'scalar'
      ? { kind: 'scalar', line, anchor, tag, value: event.value, isImplicit: event.isImplicit }
      : { kind: event.type, line, anchor, tag, children: [] };
  if (anchor !== undefined) anchors.set(anchor, node);
  return node;
}
