import { plainSource, withImportLine } from './plain-source.js';

/**
 * The source of a module with an added entry in a list of its decorator, and the import of that entry. Returns
 * the same source if it already names the entry; undefined if the decorator is not written as an object with
 * such a list, so that it has to be changed by hand.
 */
export function withModuleEntry(
  source: string,
  list: 'imports' | 'controllers',
  name: string,
  from: string,
): string | undefined {
  const plain = plainSource(source);
  if (new RegExp(`\\b${name}\\b`).test(plain)) return source;
  const decorator = /@Module\(\s*\{/.exec(plain);
  if (decorator === null || plain.includes('@Module(', decorator.index + 1)) return undefined;
  const body = decorator.index + decorator[0].length;
  const property = propertyAt(plain, body, list);
  const added =
    property === undefined
      ? `${source.slice(0, body)}\n  ${list}: [${name}],${source.slice(body)}`
      : inList(source, plain, property, name);
  return added && withImportLine(added, name, from);
}

/** The position after a property's name, at the first level of the object that begins at `from`. */
function propertyAt(plain: string, from: number, name: string): number | undefined {
  let depth = 0;
  for (let at = from; at < plain.length && depth >= 0; at++) {
    if ('{[('.includes(plain[at]!)) depth++;
    else if ('}])'.includes(plain[at]!)) depth--;
    else if (depth === 0 && isWordAt(plain, at, name)) return at + name.length;
  }
  return undefined;
}

function isWordAt(plain: string, at: number, name: string): boolean {
  return (
    plain.startsWith(name, at) &&
    !/[\w$.]/.test(plain[at - 1] ?? '') &&
    !/[\w$]/.test(plain[at + name.length] ?? '')
  );
}

function inList(source: string, plain: string, after: number, name: string): string | undefined {
  const list = /^\s*:\s*\[/.exec(plain.slice(after));
  if (list === null) return undefined;
  const start = after + list[0].length;
  const [head, rest] = [source.slice(0, start), source.slice(start)];
  if (/^\s*\]/.test(rest)) return `${head}${name}${rest.trimStart()}`;
  const gap = /^\r?\n\s*/.exec(rest)?.[0];
  return gap === undefined ? `${head}${name}, ${rest}` : `${head}${gap}${name},${rest}`;
}
