/** Words that cannot be the name of a declaration; protobuf-es appends `$` to them. */
const RESERVED = new Set(
  (
    'break case catch class const continue debugger default delete do else export extends false finally for ' +
    'function if import in instanceof new null return super switch this throw true try typeof var void while ' +
    'with yield enum implements interface let package private protected public static Object bigint number ' +
    'boolean string object globalThis Uint8Array Partial'
  ).split(' '),
);

/** Types of TypeScript that a handler is likely to use, apart from what exists when the program runs. */
const UTILITY_TYPES =
  'Record Required Readonly Pick Omit Exclude Extract NonNullable Awaited ReturnType Parameters Iterable ' +
  'AsyncIterable AsyncGenerator Generator PromiseLike ArrayLike';

/** Names that every object has; protobuf-es appends `$` to them. */
const OF_OBJECTS = ['constructor', 'toString', 'toJSON', 'valueOf'];

/** The name of a method in protobuf-es. */
export function localName(method: string): string {
  const name = method.charAt(0).toLowerCase() + method.slice(1);
  return OF_OBJECTS.includes(name) ? `${name}$` : name;
}

/** The name by which protobuf-es exports a service, if the other declarations of its file are these. */
export function exportedName(service: string, taken: ReadonlySet<string>): string {
  for (let i = 0; ; i++) {
    const salted = i === 0 ? service : `${service}$${i === 1 ? '' : i - 1}`;
    const name = RESERVED.has(salted) ? `${salted}$` : salted;
    if (!taken.has(name)) return name;
  }
}

/** Whether a declaration of this name would hide something that every module has. */
export function hidesGlobal(name: string): boolean {
  return name in globalThis || UTILITY_TYPES.split(' ').includes(name);
}

/** The names of messages and enums in the text of a .proto file without comments, and of their descriptors. */
export function typeNames(plain: string): ReadonlySet<string> {
  const names = new Set<string>();
  const around: (string | undefined)[] = [];
  for (const [brace, , name] of plain.matchAll(/\b(message|enum)\s+(\w+)\s*\{|\{|\}/g)) {
    if (name === undefined) {
      if (brace === '{') around.push(undefined);
      else around.pop();
      continue;
    }
    const full = [...around.filter((each) => each !== undefined), name].join('_');
    names.add(full).add(`${full}Schema`);
    around.push(name);
  }
  return names;
}
