import type { Value } from '../values/value.ts';
import { type Attribute, attributeCode, resolver } from './attribute.ts';
import type { Code, Slots } from './pausing.ts';

/** A node being compiled. */
export type Node =
  | { readonly kind: 'constant'; readonly value: Value; readonly code: Code }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly code: Code }
  | { readonly kind: 'other'; readonly code: Code };

export function constantNode(value: Value): Node {
  return { kind: 'constant', value, code: () => value };
}

export function attributeNode(attribute: Attribute, slots: Slots): Node {
  let code: Code | undefined;
  return {
    kind: 'attribute',
    attribute,
    // Most attributes are extended into longer ones.
    get code() {
      return (code ??= attributeCode(attribute, slots));
    },
  };
}

export function otherNode(code: Code): Node {
  return { kind: 'other', code };
}

/** As a branch or an index, where attributes omit the cost of the whole. */
export function unobserved(node: Node, slots: Slots): Code {
  return node.kind === 'attribute' ? resolver(node.attribute, slots) : node.code;
}

/** Something that steps can be appended to. */
export function asAttribute(node: Node): Attribute {
  if (node.kind === 'attribute') return node.attribute;
  return { base: node.code, qualifiers: [], cost: 1, isTest: false };
}
