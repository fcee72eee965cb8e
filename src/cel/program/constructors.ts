import { isHashable, MapValue } from '../values/collections.ts';
import { valueText } from '../values/texts.ts';
import { CelError, isError, Optional, type Value } from '../values/value.ts';
import { type Evaluate, Frame } from './frame.ts';
import { constantNode, type Node, otherNode } from './node.ts';
import { composed, type Slots } from './pausing.ts';

// List, map and message literals. Constant lists and maps are built once, and are free.

const listCost = 10;
const mapCost = 30;
const structCost = 40;

interface ElementNode {
  readonly value: Node;
  readonly isOptional: boolean;
}

interface EntryNode extends ElementNode {
  readonly key: Node;
}

interface FieldNode extends ElementNode {
  readonly name: string;
}

export function listNode(elements: readonly ElementNode[], slots: Slots): Node {
  const optional = elements.map(({ isOptional }) => isOptional);
  const constants = constantsAmong(elements.map(({ value }) => value));
  if (constants !== undefined) return constantNode(listEvaluator(constants, optional)(nowhere()));
  return literalNode(
    elements.map(({ value }) => value),
    (values) => charged(listEvaluator(values, optional), listCost),
    slots,
  );
}

/** Evaluated up to the first error. */
function literalNode(parts: readonly Node[], build: (parts: readonly Evaluate[]) => Evaluate, slots: Slots): Node {
  const codes = parts.map(({ code }) => code);
  return otherNode(composed(codes, build, slots, (value) => !isError(value)));
}

/** If all are constant. */
function constantsAmong(nodes: readonly Node[]): readonly Evaluate[] | undefined {
  const constants = nodes.flatMap((node) => (node.kind === 'constant' ? [() => node.value] : []));
  return constants.length === nodes.length ? constants : undefined;
}

/** For constants, which need no frame. */
function nowhere(): Frame {
  return new Frame([], 0, { costLimit: Infinity });
}

function charged(make: Evaluate, cost: number): Evaluate {
  return (frame) => {
    const value = make(frame);
    frame.charge(cost);
    return value;
  };
}

function listEvaluator(elements: readonly Evaluate[], optional: readonly boolean[]): Evaluate {
  const evaluates = elements.map((evaluate, index) => ({ evaluate, isOptional: optional[index] === true }));
  return (frame) => {
    const values: Value[] = [];
    for (const { evaluate, isOptional } of evaluates) {
      const value = evaluate(frame);
      if (isError(value)) return value;
      if (!isOptional) {
        values.push(value);
      } else if (!(value instanceof Optional)) {
        return new CelError(`cannot initialize optional list element from non-optional value ${valueText(value)}`);
      } else if (value.value !== undefined) {
        values.push(value.value);
      }
    }
    return values;
  };
}

export function mapNode(entries: readonly EntryNode[], slots: Slots): Node {
  const optional = entries.map(({ isOptional }) => isOptional);
  const parts = entries.flatMap(({ key, value }) => [key, value]);
  const constants = entries.every(({ key }) => key.kind !== 'constant' || isHashable(key.value))
    ? constantsAmong(parts)
    : undefined;
  if (constants !== undefined) return constantNode(mapEvaluator(constants, optional)(nowhere()));
  return literalNode(parts, (values) => charged(mapEvaluator(values, optional), mapCost), slots);
}

/** Constructs a map; `parts` are keys, each followed by its value. */
function mapEvaluator(parts: readonly Evaluate[], optional: readonly boolean[]): Evaluate {
  const entries = optional.flatMap((isOptional, index) => {
    const [keyOf, valueOf] = [parts[2 * index], parts[2 * index + 1]];
    return keyOf === undefined || valueOf === undefined ? [] : [{ keyOf, valueOf, isOptional }];
  });
  return (frame) => {
    const map = new MapValue();
    for (const entry of entries) {
      const key = entry.keyOf(frame);
      if (isError(key)) return key;
      const value = entry.valueOf(frame);
      if (isError(value)) return value;
      const given = entry.isOptional ? fromOptional(valueText(key), value) : value;
      if (given === undefined) map.delete(key);
      else if (isError(given)) return given;
      else map.set(key, given);
    }
    return map;
  };
}

/** Undefined when absent. */
function fromOptional(name: string, value: Value): Value | undefined {
  if (value instanceof Optional) return value.value;
  return new CelError(`cannot initialize optional entry '${name}' from non-optional value ${valueText(value)}`);
}

/** `construct` returns undefined for types without values. */
export function structNode(
  name: string,
  fields: readonly FieldNode[],
  {
    construct,
    slots,
  }: {
    readonly construct: (values: ReadonlyMap<string, Value>) => Value | undefined;
    readonly slots: Slots;
  },
): Node {
  const unknown = new CelError(`unknown type '${name}'`);
  const build = (parts: readonly Evaluate[]): Evaluate => {
    const named = parts.flatMap((evaluate, index) => {
      const field = fields[index];
      return field === undefined ? [] : [{ name: field.name, isOptional: field.isOptional, evaluate }];
    });
    return (frame) => {
      const values = new Map<string, Value>();
      for (const field of named) {
        const value = field.evaluate(frame);
        if (isError(value)) return value;
        const given = field.isOptional ? fromOptional(field.name, value) : value;
        if (given === undefined) values.delete(field.name);
        else if (isError(given)) return given;
        else values.set(field.name, given);
      }
      const made = construct(values);
      return made === undefined ? unknown : made;
    };
  };
  return literalNode(
    fields.map(({ value }) => value),
    (parts) => charged(build(parts), structCost),
    slots,
  );
}
