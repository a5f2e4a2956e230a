// Documents of each shape, as JSON that protobuf-es writes the same way.

/** A list of items that makes up a document, and where it goes in the document's message. */
export interface Shape {
  readonly name: string;
  /** Of shapes.proto. */
  readonly type: string;
  /** A document with about so many items. */
  document(items: number): unknown;
}

const product = (index: number): object => ({
  name: `products/pot-${index}`,
  title: 'Cast iron pot with lid, enamelled, 5.3 l',
  price: { currency: 'EUR', units: `${149 + index}`, nanos: 900_000_000 },
  weightKg: 4.75 + index / 8,
  tags: ['kitchen', 'iron', `series-${index % 7}`],
  state: index % 3 === 0 ? 'STATE_GONE' : 'STATE_ON_SALE',
  fragile: true,
});

const list = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));

const keyed = (count: number, key: (index: number) => string, value: (index: number) => unknown) =>
  Object.fromEntries(list(count, (index) => [key(index), value(index)]));

/** Messages inside messages, `depth` of them. */
function nested(depth: number, name: string): object {
  let tree: object = { name };
  for (let level = 1; level < depth; level++) tree = { name: `${name}-${level}`, next: tree };
  return tree;
}

const TEXT = 'Enamelled inside and out, with a lid that closes tightly. ';

export const list100: Shape = {
  name: 'list of messages',
  type: 'Products',
  document: (items) => ({ products: list(items, product) }),
};

export const maps: Shape = {
  name: 'maps',
  type: 'Maps',
  document: (items) => ({
    labels: keyed(
      items,
      (n) => `label-${n}`,
      (n) => `value ${n}`,
    ),
    // Integer keys in ascending order, as objects of JavaScript have them.
    counts: keyed(items, String, (n) => n * 3),
    products: keyed(Math.ceil(items / 8), (n) => `pot-${n}`, product),
  }),
};

export const SHAPES: readonly Shape[] = [
  list100,
  maps,
  {
    name: 'deep nesting',
    type: 'Tree',
    document: (items) => ({
      children: list(Math.ceil(items / 40), (n) => nested(40, `tree-${n}`)),
    }),
  },
  {
    name: 'long strings',
    type: 'Texts',
    document: (items) => ({ texts: list(items, (n) => `${n}: ${TEXT.repeat(70)}`) }),
  },
  {
    name: 'strings beyond ASCII',
    type: 'Texts',
    document: (items) => ({ texts: list(items, (n) => `${n}: Gußeisen, 5 ℓ, "mit" Deckel 🍲\n`) }),
  },
  {
    name: 'many numbers',
    type: 'Numbers',
    document: (items) => ({
      ints: list(items, (n) => (n * 7_919) % 100_003),
      longs: list(items, (n) => `${BigInt(n) * 1_000_000_007n}`),
      doubles: list(items, (n) => n * 1.25 + 0.1),
      counts: list(items, (n) => n),
    }),
  },
  {
    name: 'bytes',
    type: 'Blobs',
    document: (items) => ({
      blobs: list(items, (n) => Buffer.alloc(300, n % 251).toString('base64')),
    }),
  },
];

/** One message of about 250 bytes. */
export const small: Shape = {
  name: 'small message',
  type: 'Product',
  document: product,
};

/** The document of a shape that has about so many bytes of JSON. */
export function documentOf(shape: Shape, bytes: number): unknown {
  const sample = JSON.stringify(shape.document(1_000)).length;
  return shape.document(Math.max(1, Math.round((1_000 * bytes) / sample)));
}
