import { thrownText } from '@apix/contracts';
import type { Layer } from './layer.js';
import { pathText } from './path.js';
import { forbiddenKey, isBranch } from './tree.js';

/**
 * Reads a YAML or JSON document: JSON is read as YAML, and may so have comments. Faults are added to
 * `mistakes`, never with a piece of the text, which may be a secret.
 */
export async function readDocument(
  text: string,
  file: string,
  mistakes: string[],
): Promise<Layer | null> {
  // Most hosts read no configuration, and should not load a YAML parser at their start.
  const { LineCounter, isNode, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placed = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    mistakes.push(...wrong.map(({ message, pos }) => `${placed(pos[0])}: ${message}`));
    return null;
  }
  let tree: unknown;
  try {
    tree = document.toJS();
  } catch (error) {
    mistakes.push(`${file}: ${thrownText(error)}`);
    return null;
  }
  tree ??= {};
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
      const node = document.getIn(path, true);
      return isNode(node) && node.range ? placed(node.range[0]) : file;
    },
  };
}
