/** Steps with an answer other than the reference's, and why; docs/validation.md tells users of them. */
export interface KnownDifference {
  readonly steps: RegExp;
  readonly reason: string;
  /** The answer also depends on what other scripts have asked before: it need not differ. */
  readonly isTimed?: true;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    steps: new RegExp(
      [
        /^definition-versions: first, v2: (?:apply through another|list)$/,
        /^definition-versions: after that: w2-5 in /,
        /^definition-versions: second, v1(?:beta1)?: apply through another$/,
        /^definition-versions: second, v\w+: list$/,
        /^definition-versions: after both: w1-6 in /,
        /^definition-versions: (?:an apply to it|a table|what was applied through it|the list)$/,
      ]
        .map(({ source }) => source)
        .join('|'),
    ),
    reason: 'An apply through another version succeeds; the reference does not know its own fields there.',
  },
  {
    steps:
      /^metadata-errors: (?:(?:wrong )?pin|map|config map|service): (?:merge|apply): a link$|^metadata-errors: (?:config map: put|service: (?:put|merge the status)): a link$/,
    reason: 'A dry run of an update does not show a selfLink, which nobody stores.',
  },
  {
    steps: /^mutation-literals: conditional: configmaps: data: \{"a": object\}$/,
    reason: 'A struct of an object has the nanoseconds of times there, which are not stored.',
  },
  {
    steps:
      /^mutation-literals: conditional: configmaps: metadata: .*\[object\.metadata\.finalizers\]\}$|^mutation-literals: conditional: literals: texts: \[(?:\["b"\]|null)\]$|^mutation-literals: \w+: literals: keyed: .*, texts: \[\["a"\]\]\}\]$/,
    reason: 'An item of a set that is a list of Go is refused as an item here, and for its type there.',
  },
  {
    steps: /^mutation-literals: \w+: literals: free: (?:Object\.spec\.free\{a: (?:\[\]|\["x"\]\.filter\(.*\))\})$/,
    reason: 'An empty list that an expression makes is a null in free data there.',
  },
  {
    steps: /^mutation-literals: conditional: literals: free: \{"a": \[1\] \+ \[2\]\}$/,
    reason: 'A list within a map of an expression is refused there unless it is a sum of two.',
  },
  {
    steps: /^mutation-literals: \w+: literals: free: \{"a": request\.kind\}$/,
    reason: 'The kind of a request is printed in the words of its Go type.',
  },
  {
    steps:
      /^negative-zeros: (?:-?0\.0|-0e0|-0\.00|-1e-400|-0E5): (?:number|float|double|integer|either|chosenZero|multiple|set|integers|map|free): (?:merge|get)$|^negative-zeros: (?:a table|as YAML)$/,
    reason: 'A number that is only written differently does not raise the generation.',
  },
  {
    steps: /^negative-zeros: (?:-0\.0|-0e0|-0\.00|-1e-400|-0E5): (?:set|integers|map) with zero: post$/,
    reason: 'Zeros of both signs are one owned item there.',
  },
  {
    steps: /^negative-zeros: (?:-0\.0|-0e0|-0\.00|-1e-400|-0E5): map of two: post$/,
    reason: 'The keys of a repeated item are shown without the sign of a zero.',
  },
  {
    steps: /^zero-signs: (?:-0\.0|-0e0|-0E-3): custom: (?:add|get)$/,
    reason: 'The reference stores -0 and reads it as 0, so that a write without changes is one.',
  },
  {
    steps: /^cel-edges: messages (?:type\()?google\.protobuf\.Any\{.*\\x0a\\x2c.*\}(?:\)| == true): told$/,
    reason: 'Unknown fields of an Any within an Any are not shown.',
  },
  {
    steps: /^cel-definitions: random 330042$/,
    reason: 'After an error of syntax, an integer is not called invalid whose sign the reference has lost.',
  },
  {
    steps: /^field-validation: (?:deployment|leaflet): operations$/,
    reason: 'Of members that a value of a JSON patch repeats, errors show the last, not all.',
  },
  {
    steps:
      /^micro-times: (?!(?:lease )?in CBOR|unquoted).*: beyond the last year by its zone$|^times-beyond: config map: owners \w+ the \w+ year: (?:put|merge|strategic|json|get)$|^times-beyond: a time in a template /,
    reason: 'A time beyond the years 0 to 9999 is not stored: the reference stores it, and cannot read it again.',
  },
  {
    steps: /^resource-versions: config map: watch three$/,
    reason: 'The history of a kind begins when it is first asked for, not when the server starts.',
    isTimed: true,
  },
];

/** The difference of a step (`SCRIPT: STEP`) if it has a known one. */
export function knownDifference(step: string): KnownDifference | undefined {
  return knownDifferences.find(({ steps }) => steps.test(step));
}
