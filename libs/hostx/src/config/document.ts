import { JsonError, thrownText } from '@apix/contracts';
import { readJsonText, yamlFaultText } from '@apix/contracts/internal';
import type { Layer } from './layer.js';
import { type Path, pathText } from './path.js';
import { forbiddenKey, isBranch } from './tree.js';

/** A document that was read. */
interface Read {
  readonly tree: unknown;
  /** The line of a value; undefined if that is not known. */
  readonly lineOf: (path: Path) => number | undefined;
}

/**
 * Reads a document: JSON if the name of its file says so, else YAML. Faults are added to `mistakes`, never
 * with a piece of the text, which may be a secret.
 */
export async function readDocument(
  text: string,
  file: string,
  mistakes: string[],
): Promise<Layer | null> {
  // Why: docs/decisions/0391
  const read = /\.json$/i.test(file)
    ? jsonIn(text, file, mistakes)
    : await yamlIn(text, file, mistakes);
  if (read === null) return null;
  const { tree, lineOf } = read;
  if (!isBranch(tree)) {
    mistakes.push(`${file}: must be an object at its top level`);
    return null;
  }
  const forbidden = forbiddenKey(tree);
  if (forbidden !== null) {
    mistakes.push(`${file}: ${pathText(forbidden)} is not allowed as the name of a setting`);
    return null;
  }
  return {
    name: file,
    tree,
    at(path) {
      const line = lineOf(path);
      return line === undefined ? file : `${file}:${line}`;
    },
  };
}

const UNKNOWN_ALIAS =
  'a value that begins with "*" is an alias, and there is no such anchor; put other values in quotes';

function jsonIn(text: string, file: string, mistakes: string[]): Read | null {
  try {
    const { value, lineOf } = readJsonText(text);
    return { tree: value, lineOf };
  } catch (error) {
    const place = error instanceof JsonError ? `${file}:${error.line}` : file;
    mistakes.push(`${place}: ${thrownText(error)}`);
    return null;
  }
}

async function yamlIn(text: string, file: string, mistakes: string[]): Promise<Read | null> {
  // Most hosts read no configuration, and should not load a YAML parser at their start.
  const { LineCounter, isNode, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    const placed = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
    mistakes.push(...wrong.map((fault) => `${placed(fault.pos[0])}: ${yamlFaultText(fault)}`));
    return null;
  }
  const lineOf = (path: Path): number | undefined => {
    const node = document.getIn(path, true);
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
  };
  try {
    return { tree: (document.toJS() as unknown) ?? {}, lineOf };
  } catch (error) {
    // The message has the name of an alias, which may be a password that begins with "*".
    const isUnknown =
      error instanceof ReferenceError && error.message.startsWith('Unresolved alias');
    const why = isUnknown ? UNKNOWN_ALIAS : thrownText(error);
    mistakes.push(`${file}: ${why}`);
    return null;
  }
}
