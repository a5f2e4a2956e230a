const METADATA = /^_(?:id|index|source|routing|ignored|field_names|nested_path|version|seq_no)$/;
const DEPTH = 20;

type Mapping = Map<string, Mapping | 'value'>;

/**
 * Why Elasticsearch 8 refuses a document of an index without mappings, as far as names can make it do so
 * (DocumentParser and DotExpandingXContentParser); undefined if it takes it.
 */
export function refusalOf(document: object): string | undefined {
  try {
    parse(document, new Map(), []);
    return undefined;
  } catch (refusal) {
    return (refusal as Error).message;
  }
}

/** As Java has it. */
function isBlank(part: string): boolean {
  const rest = part.replaceAll(/\s/g, '');
  return (
    [0x1c, 0x1d, 0x1e, 0x1f].reduce(
      (left, code) => left.replaceAll(String.fromCharCode(code), ''),
      rest,
    ) === ''
  );
}

function parse(value: object, mapping: Mapping, above: readonly string[]): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const path = name.split('.');
    if (name === '') throw new Error('field name cannot be an empty string');
    for (const part of path) {
      if (isBlank(part)) throw new Error(`[${name}] is blank or has such a part`);
    }
    if (above.length === 0 && METADATA.test(path[0]!)) throw new Error(`[${name}] is metadata`);
    if (Buffer.byteLength(name) > 32_766) throw new Error('immense term');
    let at = mapping;
    for (const part of path.slice(0, -1)) at = objectAt(at, part);
    parseMember(member, at, [...above, ...path]);
  }
}

function parseMember(member: unknown, mapping: Mapping, path: readonly string[]): void {
  const name = path.at(-1)!;
  if (Array.isArray(member)) for (const item of member) parseMember(item, mapping, path);
  else if (typeof member === 'object' && member !== null) {
    if (path.length >= DEPTH)
      throw new Error(`limit of mapping depth exceeded by ${path.join('.')}`);
    parse(member, objectAt(mapping, name), path);
  } else if (member !== null) {
    if (path.length > DEPTH)
      throw new Error(`limit of mapping depth exceeded by ${path.join('.')}`);
    if (mapping.get(name) instanceof Map) throw new Error(`${path.join('.')} is an object`);
    mapping.set(name, 'value');
  }
}

function objectAt(mapping: Mapping, name: string): Mapping {
  const known = mapping.get(name);
  if (known === 'value') throw new Error(`${name} is a value, not an object`);
  if (known !== undefined) return known;
  const made: Mapping = new Map();
  mapping.set(name, made);
  return made;
}
