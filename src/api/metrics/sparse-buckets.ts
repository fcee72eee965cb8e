/** What has been counted, as plain data. */
export interface SparseCounts {
  readonly schema: number;
  /** Observations so close to zero that they are in no bucket. */
  readonly zeros: number;
  /** Observations by bucket; of negative ones by that of their absolute value. */
  readonly positive: ReadonlyMap<number, number>;
  readonly negative: ReadonlyMap<number, number>;
}

/**
 * The buckets of a native histogram (prometheus.io, "Native Histograms"): each is wider than the one below by the same
 * factor, 2^(2^-schema), and only those that have observations exist. Bucket 0 ends at 1.
 *
 * Beyond a number of buckets their width is doubled, as often as it takes.
 */
export class SparseBuckets implements SparseCounts {
  /** The widest a bucket may be wider than the one below is a tenth. */
  #schema = finest;
  #zeros = 0;
  readonly #positive = new Map<number, number>();
  readonly #negative = new Map<number, number>();

  get schema(): number {
    return this.#schema;
  }

  get zeros(): number {
    return this.#zeros;
  }

  get positive(): ReadonlyMap<number, number> {
    return this.#positive;
  }

  get negative(): ReadonlyMap<number, number> {
    return this.#negative;
  }

  observe(value: number, times: number): void {
    if (Number.isNaN(value)) return;
    const size = Math.abs(value);
    if (size <= zeroThreshold) {
      this.#zeros += times;
      return;
    }
    const buckets = value > 0 ? this.#positive : this.#negative;
    const bucket = widened(finestBucketOf(size), finest - this.#schema);
    const known = buckets.get(bucket);
    buckets.set(bucket, (known ?? 0) + times);
    if (known === undefined) this.#limit();
  }

  /** Adds what others have counted. */
  add(counts: SparseCounts): void {
    this.#add(counts, 1);
    this.#limit();
  }

  /** Takes away what was counted before. */
  subtract(counts: SparseCounts): void {
    this.#add(counts, -1);
    removeEmpty(this.#positive);
    removeEmpty(this.#negative);
  }

  #add({ schema, zeros, positive, negative }: SparseCounts, sign: 1 | -1): void {
    while (this.#schema > schema) this.#widen();
    this.#zeros += sign * zeros;
    const options = { times: schema - this.#schema, sign };
    addAll(this.#positive, positive, options);
    addAll(this.#negative, negative, options);
  }

  #limit(): void {
    while (this.#positive.size + this.#negative.size > maxBuckets && this.#schema > coarsest) this.#widen();
  }

  #widen(): void {
    this.#schema -= 1;
    widenAll(this.#positive);
    widenAll(this.#negative);
  }
}

export const zeroThreshold = 2 ** -128;
/** As many as OpenTelemetry recommends. */
const maxBuckets = 160;
const finest = 3;
const coarsest = -4;

/** Bounds of the buckets in one power of 2, from 1/2 on. */
const bounds = [
  0.5, 0.5452538663326288, 0.5946035575013605, 0.6484197773255048, 0.7071067811865475, 0.7711054127039704,
  0.8408964152537144, 0.9170040432046711,
];

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The bucket of a positive number in the finest schema. */
function finestBucketOf(size: number): number {
  if (size === Number.POSITIVE_INFINITY) return finestBucketOf(Number.MAX_VALUE) + 1;
  // Numbers above the threshold are normal: exponent and fraction are what their bits say.
  double[0] = size;
  const high = words[1] ?? 0;
  const exponent = (high >>> 20) - 1022;
  words[1] = (high & 0xf_ffff) | (1022 << 20);
  const fraction = double[0];
  let index = 0;
  while (index < bounds.length && (bounds[index] ?? 1) < fraction) index += 1;
  return index + (exponent - 1) * bounds.length;
}

/** The bucket that contains a bucket, when the width has been doubled so many times. */
function widened(bucket: number, times: number): number {
  return Math.ceil(bucket / 2 ** times);
}

function widenAll(buckets: Map<number, number>): void {
  const before = [...buckets];
  buckets.clear();
  addAll(buckets, before, { times: 1, sign: 1 });
}

interface AddOptions {
  /** How often the width has been doubled since. */
  readonly times: number;
  readonly sign: 1 | -1;
}

function addAll(
  buckets: Map<number, number>,
  added: Iterable<readonly [number, number]>,
  { times, sign }: AddOptions,
): void {
  for (const [bucket, count] of added) {
    const wider = widened(bucket, times);
    buckets.set(wider, (buckets.get(wider) ?? 0) + sign * count);
  }
}

function removeEmpty(buckets: Map<number, number>): void {
  for (const [bucket, count] of buckets) if (count === 0) buckets.delete(bucket);
}
